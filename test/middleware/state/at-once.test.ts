import { generateText, wrapLanguageModel } from 'ai';
import { expect, it } from 'vitest';
import { summarizationMiddleware } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { chatModel } from '../../support/models.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { secret } from './processes.ts';

it('requests for the same conversation that come at once ask the store once, not each of them', async () => {
  const asked: string[] = [];
  const store = sharedStore().open(({ get }) => ({
    get: async (key) => {
      asked.push(key);
      await new Promise((resolve) => {
        setTimeout(resolve, 20);
      });
      return get(key);
    },
  }));
  const middleware = summarizationMiddleware({ contextLength: 100_000, store, secret });
  const model = wrapLanguageModel({ model: chatModel(), middleware });
  const messages = chat(41);
  const send = async () => generateText({ model, messages });
  await Promise.all(Array.from({ length: 50 }, send));
  // Two documents: what opens alike, and the conversation.
  expect(asked).toHaveLength(2);
});
