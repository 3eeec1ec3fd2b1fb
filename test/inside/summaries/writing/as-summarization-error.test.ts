import { describe, expect, it } from 'vitest';
import { redactFailure } from '../../../../src/cleaning/redaction-door.ts';
import { SummarizationError } from '../../../../src/index.ts';
import { asSummarizationError } from '../../../../src/summaries/writing/write-record.ts';

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

describe('asSummarizationError', () => {
  it('passes an error of the package on as it is where nothing is redacted', () => {
    expect(asSummarizationError(known, 'mine', undefined)).toBe(known);
  });

  it('passes on that redact failed, whatever redact does', () => {
    const failure = redactFailure();
    expect(asSummarizationError(failure, 'mine', refusing)).toBe(failure);
  });

  it.each([[new Error('SECRET')], ['SECRET'], [undefined]])(
    'names the strategy that threw %s, and keeps what it threw',
    (thrown) => {
      const error = asSummarizationError(thrown, 'mine', undefined);
      expect(error).toMatchObject({
        reason: 'strategy',
        message: 'The strategy mine threw.',
        retryable: true,
      });
      expect(error.cause).toBe(thrown);
    },
  );

  it('redacts what an error of the package says, and keeps its figures', () => {
    expect(asSummarizationError(known, 'mine', redact)).toMatchObject({
      reason: 'invalid-output',
      message: '*** is no JSON',
      retryable: false,
      usage,
      cause: { name: 'TypeError', message: '***' },
    });
  });

  it.each([
    [
      'an error',
      Object.assign(new Error('SECRET'), { body: 'SECRET' }),
      { name: 'Error', message: '***' },
    ],
    ['a text', 'a SECRET', 'a ***'],
    ['anything else', { text: 'SECRET' }, undefined],
    [
      'an error without texts',
      Object.assign(new Error('a'), { message: 7 }),
      { name: 'Error', message: '' },
    ],
  ])('redacts the cause: %s', (_name, thrown, cause) => {
    const error = asSummarizationError(thrown, 'mine', redact);
    const { cause: said } = error;
    const shown = said instanceof Error ? { name: said.name, message: said.message } : said;
    expect(shown).toEqual(cause);
    expect(JSON.stringify(error)).not.toContain('SECRET');
    expect(said instanceof Error ? said.stack : '').not.toContain('SECRET');
  });

  it('says that a strategy failed where not even that can be redacted', () => {
    expect(asSummarizationError(known, 'mine', refusing).message).toBe('The strategy mine failed.');
  });
});
