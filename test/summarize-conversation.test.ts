import { afterEach, describe, expect, it, vi } from 'vitest';
import { emptyContent } from './support/empty-content.ts';
import {
  SummarizationError,
  summarizeConversation,
  summaryRecordSchema,
  type SummaryStrategy,
} from '../src/index.ts';
import { assistant, chat, user } from './support/messages.ts';
import { answer, chatModel, summarizerModel } from './support/models.ts';
import { textOf } from './support/prompts.ts';
import { called } from './support/set-up.ts';
import { until } from './support/until.ts';
import { throwing } from './support/throwing.ts';

const messages = chat(12);

describe('summarizeConversation', () => {
  it('writes a valid record of all messages', async () => {
    const model = summarizerModel(answer({ summary: 'They spoke of rivers.' }));
    const result = await summarizeConversation({ messages, model });
    if (!result.ok) throw result.error;
    expect(summaryRecordSchema.parse(result.record)).toEqual(result.record);
    const figures = { depth: 0, strategy: 'llm', degraded: false, coveredMessages: 12 };
    expect(result.record).toMatchObject({ ...figures, summary: 'They spoke of rivers.' });
    expect(result.record.metrics.compressionRatio).toBeLessThan(1);
  });

  it('leaves out items of which redact leaves nothing', async () => {
    const said = { ...emptyContent('They spoke.'), keyPoints: ['SECRET', 'rivers'] };
    const context = { ...said.context, actionItems: [{ task: 'SECRET', owner: 'Ada' }] };
    const usage = { inputTokens: 1, outputTokens: 1 };
    const summarize = async () => ({ content: { ...said, context }, usage });
    const redact = (text: string): string => text.replaceAll('SECRET', '');
    const config = { strategy: { name: 'own', summarize }, redact };
    const result = await summarizeConversation({ messages, model: chatModel(), config });
    expect(result).toMatchObject({
      record: { keyPoints: ['rivers'], context: { actionItems: [] } },
    });
  });

  it('continues a parent: reads only what came after it, one depth deeper', async () => {
    const model = summarizerModel(answer({ summary: 'One.' }), answer({ summary: 'Two.' }));
    const first = await summarizeConversation({ messages, model });
    if (!first.ok) throw first.error;
    const longer = [...messages, user('A late question?'), assistant('A late answer.')];
    const second = await summarizeConversation({ messages: longer, model, parent: first.record });
    if (!second.ok) throw second.error;
    expect(second.record).toMatchObject({ depth: 1, parentId: first.record.id, summary: 'Two.' });
    expect(second.record.coveredMessages).toBe(longer.length);
    const read = textOf(model.doGenerateCalls[1]?.prompt[1]);
    expect(read).toContain('A late question?');
    expect(read).not.toContain('Answer 1:');
    // The user's words of the record are the user's still, and no message to be read again.
    expect(read).toContain('Question 0:');
    expect(read).not.toContain('"i":0,');
  });

  it('refuses a parent that covers other messages, without calling a model', async () => {
    const model = summarizerModel(answer());
    const first = await summarizeConversation({ messages, model });
    if (!first.ok) throw first.error;
    const error = { reason: 'parent-mismatch' };
    for (const each of [chat(14, 20), messages]) {
      const given = { messages: each, model, parent: first.record };
      const result = await summarizeConversation(given);
      expect(result).toMatchObject({ ok: false, retryable: false, error });
    }
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('returns a failing model as a result', async () => {
    const model = summarizerModel(throwing);
    const result = await summarizeConversation({ messages, model });
    expect(result).toMatchObject({ ok: false, retryable: true, error: { reason: 'transport' } });
    expect(!result.ok && SummarizationError.isInstance(result.error)).toBe(true);
  });

  it('gives the record the id that the middleware would have given it', async () => {
    const secret = 'a-secret-of-some-length';
    const history = chat(19);
    const { events } = await called(history, { secret });
    const made = events.find((event) => event.type === 'end');
    const covered = history.slice(0, made?.coveredMessages);
    const given = { messages: covered, model: summarizerModel(answer()), config: { secret } };
    const { id, prefixDigest } = made?.record ?? {};
    const result = await summarizeConversation(given);
    expect(result).toMatchObject({ ok: true, record: { id, prefixDigest } });
  });
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
