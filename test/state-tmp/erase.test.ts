import { generateText } from 'ai';
import { expect, it } from 'vitest';
import { eraseConversation, memoryStore } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { lastPrompt } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

it.each([[undefined], ['c1']])('erases %s', async (conversationId) => {
  const store = memoryStore();
  const other = { get: store.get, set: store.set, delete: store.delete };
  const secret = 'a secret of the operator';
  const a = setUp({ store: other, secret });
  const b = setUp({ store: { ...other }, secret });
  const providerOptions = conversationId ? { summarization: { conversationId } } : {};
  await generateText({ model: a.model, messages: chat(19), providerOptions });
  await generateText({ model: b.model, messages: chat(19), providerOptions });
  expect(a.summarizer.doGenerateCalls.length + b.summarizer.doGenerateCalls.length).toBe(1);
  expect(JSON.stringify(lastPrompt(b.inner))).toBe(JSON.stringify(lastPrompt(a.inner)));
  const result = await eraseConversation(
    conversationId
      ? { store: other, secret, conversationId }
      : { store: other, secret, messages: chat(19) },
  );
  expect(result.records).toBe(1);
  await generateText({ model: a.model, messages: chat(19), providerOptions });
  expect(a.summarizer.doGenerateCalls.length + b.summarizer.doGenerateCalls.length).toBe(2);
});
