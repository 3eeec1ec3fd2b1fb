import { describe, expect, it } from 'vitest';
import { redactFailure } from '../../../src/cleaning/redaction-door.ts';
import { SummarizationError } from '../../../src/index.ts';
import { writeRecord } from '../../../src/summaries/write-record.ts';
import { request, scripted, writers } from './record-requests.ts';

const redact = (text: string): string => text.replaceAll('SECRET', '***');
const refusing = (): string => {
  throw new Error('no');
};
const usage = { inputTokens: 5, outputTokens: 1 };
const known = new SummarizationError({
  reason: 'invalid-output',
  message: 'SECRET is no JSON',
  usage,
  cause: new TypeError('SECRET'),
});

/** What comes of an error that the only strategy throws. */
async function failureFrom(
  thrown: unknown,
  clean?: (text: string) => string,
): Promise<SummarizationError> {
  const strategy = scripted('mine', () => Promise.reject(thrown));
  const given = request({ writers: writers(strategy, undefined, { redact: clean }) });
  const [result] = await Promise.allSettled([writeRecord(given.request)]);
  const error: unknown = result.status === 'rejected' ? result.reason : undefined;
  if (SummarizationError.isInstance(error)) return error;
  throw new TypeError('expected an error of the package');
}

describe('the error of a strategy', () => {
  it('passes an error of the package on as it is where nothing is redacted', async () => {
    expect(await failureFrom(known)).toBe(known);
  });

  it('passes on that redact failed, whatever redact does', async () => {
    const failure = redactFailure();
    expect(await failureFrom(failure, refusing)).toBe(failure);
  });

  it.each([[new Error('SECRET')], ['SECRET'], [undefined]])(
    'names the strategy that threw %s, and keeps what it threw',
    async (thrown) => {
      const error = await failureFrom(thrown);
      expect(error).toMatchObject({
        reason: 'strategy',
        message: 'The strategy mine threw.',
        retryable: true,
      });
      expect(error.cause).toBe(thrown);
    },
  );

  it('redacts what an error of the package says, and keeps its figures', async () => {
    expect(await failureFrom(known, redact)).toMatchObject({
      reason: 'invalid-output',
      message: '*** is no JSON',
      retryable: false,
      usage,
      cause: undefined,
    });
  });

  it.each([Object.assign(new Error('SECRET'), { body: 'SECRET' }), 'a SECRET', { text: 'SECRET' }])(
    'keeps away what was thrown where texts are redacted: %s',
    async (thrown) => {
      const error = await failureFrom(thrown, redact);
      expect(error.cause).toBe(undefined);
      expect(JSON.stringify(error)).not.toContain('SECRET');
    },
  );

  it('says that a strategy failed where not even that can be redacted', async () => {
    expect((await failureFrom(known, refusing)).message).toBe('The strategy mine failed.');
  });
});
