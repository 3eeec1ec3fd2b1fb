import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { CallOptions } from '../support/prompt-types.ts';
import { brokenStores } from './suites/broken-stores.ts';
import { writeTrace } from '../properties/generators/write-trace.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { plainChat } from '../properties/rig/plain-plan.ts';
import { rig } from '../properties/rig/run-call.ts';
import { unhandledRejections } from '../properties/rig/unhandled-rejections.ts';
import { sharedStore } from '../support/shared-store.ts';
import { settled, stopTime, untilNoTimer } from '../support/virtual-time.ts';

beforeAll(stopTime);
afterAll(() => {
  vi.useRealTimers();
});

const requests = 5;
/** Ten turns of some 90 tokens, in a context of which they take more than the trigger. */
const { prompt } = writeTrace(plainChat);
const contextLength = 1100;
const secret = 'a secret for the tests';

/** Sends a conversation again and again; returns what is paid. */
async function pay(store: ReturnType<ReturnType<typeof sharedStore>['open']>): Promise<number> {
  const strategy = knownStrategy();
  const { call } = rig({ contextLength, strategy, store, secret });
  const sent = new Set<string>();
  for (let request = 0; request < requests; request += 1) {
    const given: CallOptions = { prompt: structuredClone(prompt) };
    const startedAt = performance.now();
    const outcome = await settled(call(given));
    expect(outcome.error).toBeUndefined();
    sent.add(JSON.stringify(outcome.sent));
    expect(performance.now() - startedAt).toBeLessThanOrEqual(10_000 + 3 * 2000 + 100);
    // Longer than what is known stays uncompared with the store.
    vi.advanceTimersByTime(5001);
    await settled(Promise.resolve());
  }
  expect(sent.size).toBe(1);
  expect([...sent].join('')).toContain('[summary-depth:0]');
  expect([...sent].join('')).not.toContain('CANARY');
  await untilNoTimer();
  return strategy.inputs.length;
}

it.each(brokenStores(() => sharedStore().open()))(
  'a process pays once where $name',
  async ({ store }) => {
    const reported = await unhandledRejections(async () => {
      expect(await pay(store)).toBe(1);
    });
    expect(reported).toEqual([]);
    expect(Reflect.get({}, 'polluted')).toBeUndefined();
  },
);
