import type { ModelMessage } from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { assistant, user, words } from '../../support/messages.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { fakeClock, processes } from './processes.ts';

beforeEach(fakeClock);
afterEach(() => {
  vi.useRealTimers();
});

/** More lengths than are tried. */
const conversations = 80;
const options = { contextLength: 100_000, preserveRecent: 2, preserveRecentTokenRatio: 0 };

/** Opens like all others. */
function conversation(number: number, length: number): ModelMessage[] {
  return Array.from({ length }, (_, index) => {
    const text = `${index < 2 ? 'All' : number}, ${index}: ${words(index, 8)}`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

describe('a process that serves many conversations of all lengths which open alike', () => {
  it('sends the summary of each, and pays for none again', async () => {
    const { start, paid } = processes();
    const { send } = start(sharedStore().open(), options);
    for (let number = 0; number < conversations; number += 1)
      await send(conversation(number, 9 + 2 * number), { force: true });
    expect(paid()).toBe(conversations);
    for (const number of [0, 1, 40, conversations - 1])
      expect(await send(conversation(number, 201))).toContain(`Summary ${number + 1}.`);
    expect(paid()).toBe(conversations);
  });
});
