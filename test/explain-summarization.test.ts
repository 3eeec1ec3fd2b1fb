import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { explainSummarization, memoryStore } from '../src/index.ts';
import { assistant, chat, user } from './support/messages.ts';
import { chatModel } from './support/models.ts';
import { setUp } from './support/set-up.ts';

const options = { contextLength: 1000, store: memoryStore() };

describe('explainSummarization', () => {
  it('says that nothing would be done, and why', async () => {
    const explanation = await explainSummarization({
      prompt: chat(5),
      model: chatModel(),
      options,
    });
    expect(explanation).toMatchObject({
      act: 'none',
      reason: 'below-trigger',
      messageCount: 5,
      contextLength: 1000,
    });
    expect(explanation.plan).toBeUndefined();
  });

  it('says what would be covered, what kept and what read, as the middleware then does it', async () => {
    const messages = chat(19);
    const inner = chatModel();
    const before = await explainSummarization({ messages, model: inner, options });
    expect(before).toMatchObject({
      act: 'summarize',
      reason: 'token-ratio',
      plan: { maxSummaryTokens: 100 },
    });
    const { events, model } = setUp(options, { inner });
    await generateText({ model, messages });
    expect(events).toContainEqual(
      expect.objectContaining({
        type: 'end',
        coveredMessages: before.plan?.coveredMessages,
        tokensBefore: before.tokens,
      }),
    );
    expect((before.plan?.coveredMessages ?? 0) + (before.plan?.tailMessages ?? 0)).toBe(19);

    const after = await explainSummarization({
      messages: [...messages, assistant('Yes.'), user('So?')],
      model: inner,
      options,
    });
    expect(after).toMatchObject({
      act: 'none',
      applied: { depth: 0, coveredMessages: before.plan?.coveredMessages },
      lastSummarization: { depth: 0, messageCount: 19 },
    });
    expect(after.tokens).toBeLessThan(before.tokens);
  });

  it('has no side effect: no model is called, nothing is stored', async () => {
    const store = memoryStore();
    const writes: string[] = [];
    const inner = chatModel();
    const spied = {
      ...store,
      set: async (key: string, value: string) => (writes.push(key), store.set(key, value)),
    };
    await explainSummarization({
      messages: chat(31),
      model: inner,
      options: { contextLength: 1000, store: spied },
    });
    expect(writes).toEqual([]);
    expect(inner.doGenerateCalls).toHaveLength(0);
  });
});
