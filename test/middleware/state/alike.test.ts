import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  summarizationMiddleware,
  type SummaryStore,
  type SummaryStrategy,
} from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { assistant, user, words } from '../../support/messages.ts';
import { chatModel } from '../../support/models.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { secret } from './processes.ts';

/** More than what a document of the store has room for. */
const conversations = 300;

/** A conversation whose first messages are those of all others; more follow than a summary leaves. */
function conversation(number: number, shared: number): ModelMessage[] {
  return Array.from({ length: shared + 21 }, (_, index) => {
    const text = `${index < shared ? 'All' : number}, ${index}: ${words(index, 30)}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

/** A process that knows nothing, and what it pays. */
function process(store: SummaryStore, contextLength: number) {
  let paid = 0;
  const strategy: SummaryStrategy = {
    name: 'short',
    summarize: async () => {
      paid += 1;
      return {
        content: emptyContent('They spoke of rivers.'),
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const middleware = summarizationMiddleware({
    contextLength,
    maxWaitMs: 1_000_000_000,
    strategy,
    store,
    secret,
  });
  const model = wrapLanguageModel({ model: chatModel(), middleware });
  const sendAll = async (shared: number): Promise<number> => {
    for (let number = 0; number < conversations; number += 1)
      await generateText({ model, messages: conversation(number, shared) });
    return paid;
  };
  return { sendAll };
}

describe('conversations that open alike', () => {
  it.each([0, 6])(
    'cost a summary each, and none again in another process: %i messages alike',
    async (shared) => {
      const store = sharedStore();
      expect(await process(store.open(), 1000 + 40 * shared).sendAll(shared)).toBe(conversations);
      expect(await process(store.open(), 1000 + 40 * shared).sendAll(shared)).toBe(0);
    },
  );

  it('cost a summary each in a process, where more is alike than tells them apart', async () => {
    const { sendAll } = process(sharedStore().open(), 1800);
    expect(await sendAll(20)).toBe(conversations);
    expect(await sendAll(20)).toBe(conversations);
  });
});
