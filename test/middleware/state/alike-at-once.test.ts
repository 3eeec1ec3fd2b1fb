import { generateText, wrapLanguageModel, type ModelMessage } from 'ai';
import { expect, it } from 'vitest';
import { summarizationMiddleware, type SummaryStrategy } from '../../../src/index.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { assistant, user, words } from '../../support/messages.ts';
import { chatModel } from '../../support/models.ts';
import { promptsOf } from '../../support/prompts.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { secret } from './processes.ts';

/** Conversations of one tenant that open with the same examples, and go on each with a name of its own. */
function conversation(number: number): ModelMessage[] {
  return Array.from({ length: 41 }, (_, index) => {
    const text = `${index < 20 ? 'All' : `Customer${number}`}, ${index}: ${words(index, 30)}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

/** Tells of whom it has summarised. */
const strategy: SummaryStrategy = {
  name: 'names',
  summarize: async ({ messages }) => {
    await Promise.resolve();
    const names = new Set(JSON.stringify(messages).match(/Customer\d+/g));
    return {
      content: emptyContent(`They spoke of ${[...names].join(' and ')}.`),
      usage: { inputTokens: 1, outputTokens: 1 },
    };
  },
};

it.each(['one process', 'processes of their own'])(
  'conversations that open alike and are summarised at once know nothing of each other, in %s',
  async (where) => {
    const shared = sharedStore();
    const one = shared.open();
    const inner = chatModel();
    const numbers = Array.from({ length: 12 }, (_, index) => index);
    await Promise.all(
      numbers.map(async (number) => {
        const middleware = summarizationMiddleware({
          contextLength: 1800,
          maxWaitMs: 20_000,
          strategy,
          store: where === 'one process' ? one : shared.open(),
          secret,
        });
        const model = wrapLanguageModel({ model: inner, middleware });
        await generateText({ model, messages: conversation(number) });
      }),
    );
    const prompts = promptsOf(inner).map((prompt) => JSON.stringify(prompt));
    expect(prompts).toHaveLength(numbers.length);
    for (const prompt of prompts) {
      expect(prompt).toContain('They spoke of');
      expect(new Set(prompt.match(/Customer\d+/g)).size).toBe(1);
    }
  },
);
