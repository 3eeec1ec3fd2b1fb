import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assistant, chat, user, words } from '../../support/messages.ts';
import { sealedText } from '../../support/sealed-text.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fakeClock, processes, refreshTime } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

const messages = chat(19);
const summary = /Summary \d+/;

/** More of the conversation: enough for another summary. */
const more = [
  ...messages,
  ...Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0
      ? assistant(`Later ${index}: ${words(index, 40)}`)
      : user(`More ${index}: ${words(index, 40)}`),
  ),
];

describe('two processes', () => {
  it('send the bytes of whoever was first', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    const [one, other] = [start(store.open()), start(store.open())];
    const prompts = await Promise.all([one.send(messages), other.send(messages)]);
    expect(new Set(prompts).size).toBe(1);
    for (const { send } of [one, other, start(store.open())])
      expect(await send(messages)).toBe(prompts[0]);
    expect(paid()).toBeLessThanOrEqual(2);
  });

  it('that could not see each other send what the store had first, once both see it', async () => {
    const { start, paid } = processes();
    const store = sharedStore();
    let isApart = true;
    const fault = async (): Promise<never> => Promise.reject(new Error('ECONNREFUSED'));
    const winner = start(store.open());
    const loser = start(
      store.open((plain) => ({
        get: async (key) => (isApart ? fault() : plain.get(key)),
        compareAndSet: async (...given) => (isApart ? fault() : plain.compareAndSet(...given)),
      })),
    );
    const sent = await loser.send(messages);
    const first = await winner.send(messages);
    expect(summary.exec(first)?.[0]).not.toBe(summary.exec(sent)?.[0]);
    isApart = false;
    // Longer than a store is left alone that has failed.
    vi.advanceTimersByTime(61_000);
    // It waits for no store while it knows a summary.
    expect(await loser.send(messages)).toBe(sent);
    for (let request = 0; request < 3; request += 1) {
      await refreshTime();
      expect(await loser.send(messages)).toBe(first);
    }
    const next = await loser.send(more);
    expect(await winner.send(more)).toBe(next);
    expect(paid()).toBe(3);
    // Nor does it write its own over what the store has of it.
    const texts = [...store.entries.values()].map(({ value }) => sealedText(value)).join(' ');
    expect(texts).toContain(`${summary.exec(first)?.[0]}.`);
    expect(texts).not.toContain(`${summary.exec(sent)?.[0]}.`);
    const read = JSON.stringify(loser.summarizer.doGenerateCalls.at(-1)?.prompt);
    expect(read).toContain(summary.exec(first)?.[0]);
    expect(read).not.toContain(`${summary.exec(sent)?.[0]}.`);
  });
});
