import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, expect, it, vi } from 'vitest';
import { eraseConversation } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { answer, textResult } from '../../support/models.ts';
import { quiet } from '../../support/quiet.ts';
import { sealedText } from '../../support/sealed-text.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { elapse, stopClock } from '../../support/still-clock.ts';
import { until } from '../../support/until.ts';
import { secret } from './processes.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('what continues a summary of which a slow store says too late that it was erased is not kept', async () => {
  const conversation = { conversationId: 'chat' };
  const store = sharedStore();
  const waiting: (() => void)[] = [];
  let isSlow = false;
  const slow = store.open(({ get }) => ({
    get: async (key) => {
      const value = await get(key);
      if (isSlow) await new Promise<void>((resolve) => waiting.push(resolve));
      return value;
    },
  }));
  const answerAll = (): void => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  let paid = 0;
  const written = Promise.withResolvers<void>();
  const summarizer = new MockLanguageModelV4({
    doGenerate: async () => {
      paid += 1;
      if (paid > 1) await written.promise;
      return textResult(answer({ summary: `Summary ${paid}.` }));
    },
  });
  const { model } = setUp({ store: slow, secret, storeTimeoutMs: 1000 }, { summarizer });
  const send = async (messages: ModelMessage[]): Promise<unknown> =>
    generateText({ model, messages, providerOptions: { summarization: conversation } });
  await send(chat(19));
  stopClock();
  await eraseConversation({ store: store.open(), secret, ...conversation });
  isSlow = true;
  const sending = send(chat(31));
  await until(() => waiting.length > 0);
  await elapse(1000);
  await until(() => paid === 2);
  isSlow = false;
  answerAll();
  await quiet();
  written.resolve();
  await sending;
  await quiet();
  const texts = [...store.entries.values()].map(({ value }) => sealedText(value));
  expect(texts.join(' ')).not.toMatch(/Summary \d/);
});
