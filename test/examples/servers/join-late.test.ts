import { convertToModelMessages, generateText, type UIMessage } from 'ai';
import { expect, it } from 'vitest';
import { barOf, joinChats, type Progress } from '../../../examples/join-late/join-chats.ts';
import { answer, billedResult, chatModel, summarizerModel } from '../../support/models.ts';
import { lastPrompt, summaryOf } from '../../support/prompts.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';

const secret = 'a secret of the application';
const contextLength = 4000;

/** UI messages as an application has them stored. */
function stored(count: number, about: string): UIMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `${about} ${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `Message ${index} about ${about}:${' river'.repeat(100)}.` }],
  }));
}

/** What bills, and what it was asked for. */
const billing = () =>
  summarizerModel(() => billedResult(answer({ summary: 'They spoke of rivers.' }), 1000, 100));

it('summarizes a chat of 300 stored messages before its user comes back, and is resumed', async () => {
  const shared = sharedStore();
  const summarizer = billing();
  const chats = [
    { id: 'a', messages: stored(300, 'boats') },
    { id: 'b', messages: stored(4, 'bees') },
    { id: 'c', messages: stored(40, 'cats') },
  ];
  const seen: Progress[] = [];
  const join = (from: number, store = shared.open()) =>
    joinChats(chats.slice(from), {
      model: chatModel(),
      store,
      secret,
      options: { contextLength, maxTranscriptTokens: 3000, summarizerModelPreference: summarizer },
      atOnce: 2,
      onProgress: (progress) => void seen.push(progress),
    });

  const made = await join(0);
  const calls = summarizer.doGenerateCalls.length;
  expect(calls).toBeGreaterThan(2);
  expect(made).toEqual({ done: 3, summarized: 2, failed: [], tokens: calls * 1100, last: 'c' });
  expect(seen.map(({ done, last }) => [done, last])).toEqual([
    [2, 'b'],
    [3, 'c'],
  ]);
  expect(barOf(made, 3)).toContain(`[${'#'.repeat(24)}] 3 of 3 chats, 2 summarized, 0 failed`);

  // Ended and begun again, by another process: nothing is paid twice.
  expect(await join(1)).toMatchObject({ done: 2, summarized: 1, tokens: 0 });
  expect(await join(0)).toMatchObject({ done: 3, summarized: 2, tokens: 0 });

  // The application's next call of the long chat.
  const next = setUp({ contextLength, store: shared.open(), secret });
  const later = [...(chats[0]?.messages ?? []), ...stored(301, 'boats').slice(300)];
  await generateText({
    model: next.model,
    messages: await convertToModelMessages(later),
    providerOptions: { summarization: { conversationId: 'a' } },
  });
  expect(next.summarizer.doGenerateCalls).toHaveLength(0);
  expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
  expect(lastPrompt(next.inner).length).toBeLessThan(40);
});

it('goes on with the other chats where one cannot be summarized', async () => {
  const failing = summarizerModel(() => Promise.reject(new Error('gone')));
  const made = await joinChats(
    [
      { id: 'a', messages: stored(60, 'boats') },
      { id: 'b', messages: stored(4, 'bees') },
    ],
    {
      model: chatModel(),
      store: sharedStore().open(),
      secret,
      options: { contextLength, summarizerModelPreference: failing, fallbackStrategy: false },
    },
  );
  expect(made).toMatchObject({ done: 2, summarized: 0, failed: ['a'] });
});
