import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  type SummarizationOptions,
  type SummaryStore,
  type SummaryStrategy,
} from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { assistant, user, words } from '../../support/messages.ts';
import { lastPrompt, promptsOf } from '../../support/prompts.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { secret } from './processes.ts';
import { setUp } from '../../support/set-up.ts';

/** A conversation whose first messages are those of all others. */
function conversation(number: number, shared: number, length = shared + 21): ModelMessage[] {
  return Array.from({ length }, (_, index) => {
    const text = `${index < shared ? 'All' : `Customer${number}`}, ${index}: ${words(index, 30)}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

/** A process that knows nothing, and what it pays; its summaries tell of whom they were made. */
function process(store: SummaryStore, options: SummarizationOptions) {
  const made = { paid: 0 };
  const strategy: SummaryStrategy = {
    name: 'names',
    summarize: async ({ messages }) => {
      await Promise.resolve();
      made.paid += 1;
      const names = new Set(JSON.stringify(messages).match(/Customer\d+/g));
      return {
        content: emptyContent(`They spoke of ${[...names].join(' and ')}.`),
        usage: { inputTokens: 1, outputTokens: 1 },
      };
    },
  };
  const { model, inner } = setUp({ maxWaitMs: 1_000_000_000, strategy, store, secret, ...options });
  const send = async (messages: ModelMessage[], force = false): Promise<void> => {
    const providerOptions = { summarization: { force } };
    await generateText({ model, messages, providerOptions });
  };
  return { made, inner, send };
}

describe('conversations that open alike', () => {
  /** More than what a document of the store has room for. */
  const conversations = 300;

  async function pay(store: SummaryStore, shared: number, times = 1): Promise<number> {
    const { made, send } = process(store, { contextLength: 1000 + 40 * shared });
    for (let time = 0; time < times; time += 1)
      for (let number = 0; number < conversations; number += 1)
        await send(conversation(number, shared));
    return made.paid;
  }

  it.each([0, 6])(
    'cost a summary each, and none again in another process: %i messages alike',
    async (shared) => {
      const store = sharedStore();
      expect(await pay(store.open(), shared)).toBe(conversations);
      expect(await pay(store.open(), shared)).toBe(0);
    },
  );

  it('cost a summary each in a process, where more is alike than tells them apart', async () => {
    expect(await pay(sharedStore().open(), 20, 2)).toBe(conversations);
  });

  it('are all found again, of whatever length they were', async () => {
    // More lengths than are tried.
    const count = 80;
    const options = { contextLength: 100_000, preserveRecent: 2, preserveRecentTokenRatio: 0 };
    const { made, inner, send } = process(sharedStore().open(), options);
    for (let number = 0; number < count; number += 1)
      await send(conversation(number, 2, 9 + 2 * number), true);
    for (const number of [0, 1, 40, count - 1]) {
      await send(conversation(number, 2, 201));
      expect(JSON.stringify(lastPrompt(inner))).toContain(`They spoke of Customer${number}.`);
    }
    expect(made.paid).toBe(count);
  });

  it.each(['one process', 'processes of their own'])(
    'know nothing of each other where they are summarized at once, in %s',
    async (where) => {
      const shared = sharedStore();
      const one = shared.open();
      const made = Array.from({ length: 12 }, () =>
        process(where === 'one process' ? one : shared.open(), { contextLength: 1800 }),
      );
      await Promise.all(made.map(async ({ send }, number) => send(conversation(number, 20, 41))));
      const prompts = made
        .flatMap(({ inner }) => promptsOf(inner))
        .map((each) => JSON.stringify(each));
      expect(prompts).toHaveLength(12);
      for (const prompt of prompts) {
        expect(prompt).toContain('They spoke of');
        expect(new Set(prompt.match(/Customer\d+/g)).size).toBe(1);
      }
    },
  );
});
