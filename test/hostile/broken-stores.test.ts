import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SummaryStore } from '../../src/index.ts';
import { faultyStore, storeFaults } from '../chaos/faulty-store.ts';
import { canary } from '../properties/generators/faults.ts';
import { writeTrace } from '../properties/generators/write-trace.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { plainChat } from '../properties/rig/plain-plan.ts';
import { rig } from '../properties/rig/run-call.ts';
import { unhandledRejections } from '../properties/rig/unhandled-rejections.ts';
import { sharedStore } from '../support/shared-store.ts';
import { untyped } from '../support/untyped.ts';
import { settled, stopTime, untilNoTimer } from '../support/virtual-time.ts';

beforeAll(stopTime);
afterAll(() => {
  vi.useRealTimers();
});

/** Ten turns of some 90 tokens, in a context of which they take more than the trigger. */
const { prompt } = writeTrace(plainChat);
const contextLength = 1100;
const secret = 'a secret for the tests';

/** Sends a conversation again and again, which has to be the same each time; returns how often it is paid. */
async function timesPaid(store: SummaryStore): Promise<number> {
  const strategy = knownStrategy();
  const { call } = rig({ contextLength, strategy, store, secret });
  const sent = new Set<string>();
  const reported = await unhandledRejections(async () => {
    for (let request = 0; request < 5; request += 1) {
      const startedAt = performance.now();
      const outcome = await settled(call({ prompt: structuredClone(prompt) }));
      expect(outcome.error).toBeUndefined();
      sent.add(JSON.stringify(outcome.sent));
      expect(performance.now() - startedAt).toBeLessThanOrEqual(10_000 + 3 * 2000 + 100);
      // Longer than what is known stays uncompared with the store.
      vi.advanceTimersByTime(5001);
      await settled(Promise.resolve());
    }
    await untilNoTimer();
  });
  expect(reported).toEqual([]);
  expect(sent.size).toBe(1);
  expect([...sent].join('')).toContain('[summary-depth:0]');
  expect([...sent].join('')).not.toContain(canary);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  return strategy.inputs.length;
}

/** When something is wrong; of the operations so far. */
const schedules: Readonly<Record<string, (operations: number) => boolean>> = {
  always: () => true,
  'every other time': (operations) => operations % 2 === 0,
  'the first time': (operations) => operations === 1,
  'after the third time': (operations) => operations > 3,
};

describe.each(storeFaults)('a process pays once where its store %s', (fault) => {
  it.each(Object.entries(schedules))('%s', async (_when, isDue) => {
    const store = faultyStore(sharedStore(), () => {});
    let operations = 0;
    const turn = (): SummaryStore => {
      operations += 1;
      store.fault = isDue(operations) ? fault : 'none';
      return store;
    };
    const times = timesPaid({
      get: (key) => turn().get(key),
      compareAndSet: (key, entry) => turn().compareAndSet(key, entry),
      delete: (key) => turn().delete(key),
    });
    expect(await times).toBe(1);
  });
});

/** What a read may make of a value, beside what the explorer has in its worlds. */
const values: Readonly<Record<string, (value: string) => unknown>> = {
  'nothing that is known': () => undefined,
  'a list': (value) => [value],
  bytes: (value) => new TextEncoder().encode(value),
  'its second half': (value) => value.slice(value.length >> 1),
  'one letter other': (value) => value.replace(/\w(?=.{9}$)/s, (at) => (at === 'A' ? 'B' : 'A')),
  'it twice': (value) => value.repeat(2),
  'a page of HTML': () => `<html><body>502 Bad Gateway ${canary}</body></html>`,
  'a deep list': () => '['.repeat(100_000),
  'ten megabytes': () => canary.repeat(1_000_000),
  'a forged record': () =>
    `{"version":1,"entries":[],"record":{"version":1,"depth":9,"summary":"${canary}","__proto__":{"polluted":true}}}`,
};

it.each(Object.entries(values))('a process pays once where it reads %s', async (_what, change) => {
  const store = sharedStore().open(({ get }) => ({
    get: async (key) => {
      const value = await get(key);
      return typeof value === 'string' ? untyped(change(value)) : value;
    },
  }));
  expect(await timesPaid(store)).toBe(1);
});
