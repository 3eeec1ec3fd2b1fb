import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  listSummaries,
  memoryStore,
  prepareSummary,
  summarizationMiddleware,
  type SummarizationOptions,
  type SummaryJob,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { summarizerModel } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';
import { sharedStore } from '../support/shared-store.ts';
import { until } from '../support/until.ts';

const secret = 'the secret of this test';
const byHeader: SummarizationOptions['conversationId'] = ({ headers }) => headers?.['x-thread-id'];

/** The last messages of a conversation. */
const windowOf = (length: number): ModelMessage[] => chat(length).slice(-21);

describe('the option conversationId', () => {
  it('says of each call which conversation it is of, so that windows find their summaries', async () => {
    const store = memoryStore();
    const { model, summarizer, inner, events } = setUp({ store, conversationId: byHeader });
    const headers = { 'x-thread-id': 'thread 1' };
    for (let length = 21; length < 61; length += 2) {
      await generateText({ model, messages: windowOf(length), headers });
      expect(summaryOf(lastPrompt(inner))).toBeDefined();
    }
    expect(summarizer.doGenerateCalls.length).toBeLessThan(8);
    expect(new Set(events.map(({ conversationId }) => conversationId))).toEqual(
      new Set(['thread 1']),
    );
    const known = await listSummaries({ store, conversationId: 'thread 1' });
    expect(known.length).toBeGreaterThan(0);
    const options = { contextLength: 1000, store, conversationId: byHeader };
    const call = { model: inner, options, messages: windowOf(59) };
    expect((await explainSummarization({ ...call, headers })).applied).toBeDefined();
    expect((await explainSummarization(call)).applied).toBeUndefined();
  });

  it('is a text for a middleware of one conversation, and gives way to what a call says', async () => {
    const store = memoryStore();
    const { model } = setUp({ store, conversationId: 'one' });
    await generateText({ model, messages: chat(21) });
    const summarization = { conversationId: 'other' };
    await generateText({ model, messages: chat(23), providerOptions: { summarization } });
    for (const conversationId of ['one', 'other'])
      expect(await listSummaries({ store, conversationId })).toHaveLength(1);
  });

  it.each([
    ['throws', (): string => JSON.parse('{')],
    ['gives a number', (): string => JSON.parse('7')],
  ])('counts as none where it %s, which an event says', async (_what, conversationId) => {
    const { model, inner, events } = setUp({ conversationId });
    await generateText({ model, messages: chat(21) });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    const failed = events.filter((event) => event.type === 'failed');
    expect(failed).toMatchObject([{ stage: 'conversationId' }]);
  });

  it('gives no id where there is none', async () => {
    const { model, events } = setUp({ conversationId: () => '' });
    await generateText({ model, messages: chat(21) });
    expect(events.filter((event) => 'conversationId' in event || event.type === 'failed')).toEqual(
      [],
    );
  });

  it('goes with the job of a queue, which has no headers', async () => {
    const store = sharedStore().open();
    const jobs: SummaryJob[] = [];
    const enqueue = async (job: SummaryJob): Promise<number> => jobs.push(job);
    const { model, inner } = setUp({
      contextLength: 1200,
      store,
      secret,
      conversationId: byHeader,
      background: { enqueue },
    });
    await generateText({ model, messages: windowOf(19), headers: { 'x-thread-id': 'thread 2' } });
    await until(() => jobs.length > 0);
    expect(jobs[0]).toMatchObject({ conversationId: 'thread 2' });
    const options = { contextLength: 1200, summarizerModelPreference: summarizerModel() };
    const [{ call } = { call: '' }] = jobs;
    const made = await prepareSummary({ call, store, secret, model: inner, options });
    expect(made).toMatchObject({ ok: true, record: {} });
    const found = await explainSummarization({
      model: inner,
      options: { ...options, store, secret, conversationId: byHeader },
      messages: windowOf(19),
      headers: { 'x-thread-id': 'thread 2' },
    });
    expect(found.applied ?? found.prepared).toBeDefined();
  });

  it('is a text that is not empty, or a function', () => {
    expect(() => summarizationMiddleware({ conversationId: '' })).toThrow(
      'Invalid option conversationId: got "", allowed is a string that is not empty, or a function',
    );
  });
});
