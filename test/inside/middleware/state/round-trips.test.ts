import type { ModelMessage } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { chat } from '../../../support/messages.ts';
import { quiet } from '../../../support/quiet.ts';
import { sharedStore, type SharedStore } from '../../../support/shared-store.ts';
import { turns, until } from '../../../support/until.ts';
import { processes, refreshTime, withFakeClock } from '../../../middleware/state/processes.ts';

withFakeClock();

const messages = chat(41, 15);

/** What a process asks of a store: everything that it asks before an answer comes is one wait. */
function waits(store: SharedStore) {
  const made = processes();
  const seen = { waits: 0, reads: 0, bytes: 0 };
  let isOpen = false;
  const wait = async <Result>(operation: () => Promise<Result>): Promise<Result> => {
    if (!isOpen) {
      isOpen = true;
      seen.waits += 1;
    }
    await turns(20);
    isOpen = false;
    return operation();
  };
  const process = made.start(
    store.open(({ get, compareAndSet }) => ({
      get: async (key) => {
        seen.reads += 1;
        const value = await wait(async () => get(key));
        seen.bytes += value?.length ?? 0;
        return value;
      },
      compareAndSet: async (key, entry) => wait(async () => compareAndSet(key, entry)),
    })),
  );
  /** Sends a conversation, and says what was asked until the answer was there. */
  const send = async (sent: readonly ModelMessage[], own = {}) => {
    await quiet();
    Object.assign(seen, { waits: 0, reads: 0, bytes: 0 });
    const prompt = await process.send(sent, own);
    return { prompt, ...seen };
  };
  return { ...made, process, send };
}

describe.each([
  ['by its content', {}],
  ['by its id', { conversationId: 'chat' }],
])('a look-up %s', (_how, own) => {
  it.each([200, 4000])(
    'of %i messages reads two documents at most in one wait, and below 80,000 bytes',
    async (length) => {
      const store = sharedStore();
      const long = chat(length, 15);
      const { process, paid } = waits(store);
      const sent = await process.send(long, own);
      const before = paid();
      const cold = waits(store);
      const { prompt, ...asked } = await cold.send(long, own);
      expect(prompt).toBe(sent);
      expect(asked.waits).toBe(1);
      expect(asked.reads).toBeLessThanOrEqual(2);
      expect(asked.bytes).toBeLessThan(80_000);
      expect(asked.bytes).toBeGreaterThan(0);
      expect(await cold.send(long, own)).toEqual({ prompt, waits: 0, reads: 0, bytes: 0 });
      expect(paid() - before + cold.paid()).toBe(0);
    },
    60_000,
  );

  it('waits four times at most where a summary is paid', async () => {
    const { send, paid } = waits(sharedStore());
    for (const [count, sent] of [messages, [...messages, ...chat(61, 15)]].entries()) {
      const asked = await send(sent, own);
      expect(asked.waits).toBeLessThanOrEqual(4);
      expect(asked.reads).toBeLessThanOrEqual(3);
      expect(paid()).toBe(count + 1);
    }
  });
});

describe('a look-up', () => {
  it('is not made for a conversation that is too short to have a summary', async () => {
    const { send } = waits(sharedStore());
    for (const length of [1, 11])
      expect(await send(messages.slice(0, length))).toMatchObject({ waits: 0, reads: 0 });
  });

  it('is made once in five seconds where the answer is known, and never waited for', async () => {
    const { start } = processes();
    const store = sharedStore();
    let reads = 0;
    const warm = start(
      store.open(({ get }) => ({
        get: async (key) => {
          reads += 1;
          return get(key);
        },
      })),
    );
    await warm.send(messages);
    await refreshTime();
    await warm.send(messages);
    await quiet();
    reads = 0;
    vi.advanceTimersByTime(4900);
    for (let request = 0; request < 10; request += 1) await warm.send(messages);
    await quiet();
    expect(reads).toBe(0);
    vi.advanceTimersByTime(101);
    for (let request = 0; request < 10; request += 1) await warm.send(messages);
    await until(() => reads > 0);
    await quiet();
    expect(reads).toBeLessThanOrEqual(2);
  });
});
