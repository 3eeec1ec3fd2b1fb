import { afterEach, expect, it, vi } from 'vitest';
import {
  SummarizationError,
  summarizeConversation,
  type SummarizationOptions,
  type SummaryStrategy,
} from '../src/index.ts';
import { emptyContent } from './support/empty-content.ts';
import { chat } from './support/messages.ts';
import { chatModel } from './support/models.ts';
import { until } from './support/until.ts';

// That no secret leaves by any way is tried by test/middleware/redaction.test.ts, with hundreds of cases.

const usage = { inputTokens: 5, outputTokens: 1 };
const hide = (text: string): string => text.replaceAll('SECRET', '***');
const refuse = (text: string): string => {
  if (text.includes('SECRET')) throw new Error(text);
  return text;
};
const known = new SummarizationError({
  reason: 'invalid-output',
  message: 'SECRET is no JSON',
  usage,
  cause: new TypeError('SECRET'),
});
const content = emptyContent('A SECRET.');

it.each<[string, SummaryStrategy['summarize'], SummarizationOptions['redact'], object]>([
  [
    'says it redacted',
    async () => Promise.reject(known),
    hide,
    { message: '*** is no JSON', usage },
  ],
  [
    'says no more where that fails',
    async () => Promise.reject(known),
    refuse,
    { message: 'The strategy mine failed.' },
  ],
  [
    'of the caller is kept away',
    async () => Promise.reject(new Error('SECRET')),
    hide,
    { message: 'The strategy mine threw.' },
  ],
  [
    'is that redact failed for the narrative',
    async () => ({ content, usage }),
    refuse,
    { reason: 'redact', usage },
  ],
])('the error of a strategy %s', async (_what, summarize, redact, expected) => {
  const config = {
    strategy: { name: 'mine', summarize },
    fallbackStrategy: false,
    redact,
  } as const;
  const result = await summarizeConversation({ messages: chat(12), model: chatModel(), config });
  const error = result.ok ? undefined : result.error;
  expect(error).toMatchObject({ ...expected, cause: undefined });
  expect(`${error?.message} ${JSON.stringify(error)}`).not.toContain('SECRET');
});

afterEach(() => void vi.useRealTimers());

it('a strategy that never answers is given up after five minutes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const summarize = vi.fn<SummaryStrategy['summarize']>(async () => new Promise(() => {}));
  const config = { strategy: { name: 'deaf', summarize }, fallbackStrategy: false } as const;
  const given = { messages: chat(12), model: chatModel(), config };
  let isOver = false;
  const running = summarizeConversation(given).finally(() => (isOver = true));
  await until(() => summarize.mock.calls.length > 0);
  await vi.advanceTimersByTimeAsync(299_000);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await running).toMatchObject({ ok: false, error: { cause: { name: 'TimeoutError' } } });
  expect(summarize.mock.calls[0]?.[0].abortSignal?.aborted).toBe(true);
});
