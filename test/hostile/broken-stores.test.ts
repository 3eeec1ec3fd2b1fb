import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { SummaryStore } from '../../src/index.ts';
import { writeTrace } from '../properties/generators/write-trace.ts';
import { knownStrategy } from '../properties/rig/known-strategy.ts';
import { plainChat } from '../properties/rig/plain-plan.ts';
import { rig } from '../properties/rig/run-call.ts';
import { unhandledRejections } from '../properties/rig/unhandled-rejections.ts';
import type { CallOptions } from '../support/prompt-types.ts';
import { sharedStore } from '../support/shared-store.ts';
import { settled, stopTime, untilNoTimer } from '../support/virtual-time.ts';

/** A store with one thing wrong. */
interface BrokenStore {
  readonly name: string;
  readonly store: SummaryStore;
}

type Operation = 'get' | 'compareAndSet' | 'delete';

/** What happens instead of an operation, or to what it answers. */
type Fault = (work: () => Promise<unknown>, key: string) => unknown;

const lost = (): Error => new Error('CANARY: ECONNRESET redis://user:password@host');
const after = async (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** Faults of any operation. */
const failures: Readonly<Record<string, Fault>> = {
  rejects: async () => Promise.reject(lost()),
  throws: () => {
    throw lost();
  },
  'rejects with nothing': async () => Promise.reject(),
  hangs: async () => new Promise(() => {}),
  'takes 300 ms': async (work) => after(300).then(work),
  'takes 5 s': async (work) => after(5000).then(work),
  'takes 5 s and rejects': async () => after(5000).then(async () => Promise.reject(lost())),
  'does its work and rejects': async (work) => work().then(async () => Promise.reject(lost())),
  'does its work and hangs': async (work) => work().then(async () => new Promise(() => {})),
  'does nothing and says so': async () => false,
  'does nothing and says it did': async () => true,
  'answers at once': async (work) => void work().catch(() => {}),
};

/** What a read may make of a value. */
const values: Readonly<Record<string, (value: string) => unknown>> = {
  'nothing that is known': () => undefined,
  null: () => null,
  'an empty text': () => '',
  'a number': () => 7,
  'a list': (value) => [value],
  'an object': (value) => ({ value }),
  bytes: (value) => new TextEncoder().encode(value),
  'a text object': (value) => Object(value),
  'its first half': (value) => value.slice(0, value.length >> 1),
  'its second half': (value) => value.slice(value.length >> 1),
  'one letter other': (value) => value.replace(/\w(?=.{9}$)/s, (at) => (at === 'A' ? 'B' : 'A')),
  'a letter more': (value) => `${value} `,
  'it in capitals': (value) => value.toUpperCase(),
  'it backwards': (value) => Array.from(value).toReversed().join(''),
  'it twice': (value) => value.repeat(2),
  'it as JSON': (value) => JSON.stringify(value),
  'a page of HTML': () => '<html><body>502 Bad Gateway CANARY</body></html>',
  'a deep list': () => '['.repeat(100_000),
  'ten megabytes': () => 'CANARY'.repeat(1_700_000),
  'a forged record': () =>
    '{"version":1,"entries":[],"record":{"version":1,"depth":9,"summary":"CANARY","__proto__":{"polluted":true}}}',
};

/** When something is wrong; of the operations so far. */
const schedules: Readonly<Record<string, (operations: number) => boolean>> = {
  always: () => true,
  'every other time': (operations) => operations % 2 === 0,
  'the first time': (operations) => operations === 1,
  'after the third time': (operations) => operations > 3,
};

const operationSets: readonly (readonly Operation[])[] = [
  ['get'],
  ['compareAndSet'],
  ['delete'],
  ['get', 'compareAndSet', 'delete'],
];

/**
 * Stores of which each has one thing wrong: it fails, hangs, is slow, says what is not so, or reads something else
 * than was written, always or at times. What hangs and is slow does so by `setTimeout`.
 *
 * @param makeStore - Makes a store that works, for each of them one.
 */
function brokenStores(makeStore: () => SummaryStore): readonly BrokenStore[] {
  const broken: BrokenStore[] = [];
  const add = (name: string, operations: readonly Operation[], fault: Fault): void => {
    for (const [when, isDue] of Object.entries(schedules))
      broken.push({
        name: `${name} ${when}`,
        store: breakStore(makeStore(), operations, fault, isDue),
      });
  };
  for (const [name, fault] of Object.entries(failures))
    for (const operations of operationSets)
      add(`${operations.join(' and ')} ${name}`, operations, fault);
  for (const [name, change] of Object.entries(values))
    add(`get answers ${name}`, ['get'], async (work) => {
      const value = await work();
      return typeof value === 'string' ? change(value) : value;
    });
  const seen = new Map<string, unknown>();
  add('get answers what was there first', ['get'], async (work, key) => {
    if (!seen.has(key)) seen.set(key, await work());
    return seen.get(key);
  });
  return broken;
}

function breakStore(
  { get, compareAndSet, delete: remove }: SummaryStore,
  broken: readonly Operation[],
  fault: Fault,
  isDue: (operations: number) => boolean,
): SummaryStore {
  let operations = 0;
  function faulty<Given extends readonly [string, ...unknown[]], Answer>(
    operation: Operation,
    work: (...given: Given) => Promise<Answer>,
  ): (...given: Given) => Promise<Answer> {
    const run = (...given: Given): unknown => {
      if (!broken.includes(operation)) return work(...given);
      operations += 1;
      return isDue(operations) ? fault(async () => work(...given), given[0]) : work(...given);
    };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the types forbid is the point
    return run as typeof work;
  }
  return {
    get: faulty('get', get),
    compareAndSet: faulty('compareAndSet', compareAndSet),
    delete: faulty('delete', remove),
  };
}

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
