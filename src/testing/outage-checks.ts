import type { SummaryStore } from '../stores/summary-store.ts';
import { delay } from '../util/async/waiting.ts';
import { eventually } from './eventually.ts';
import { newKey } from './new-key.ts';
import { add, expectSame, isThere, put, type ChecksOf } from './store-check.ts';

/** How a tester takes a server away. */
export interface ServerHooks {
  /** Resolves once the server is away. */
  readonly stop: () => Promise<void>;
  /** Resolves once it is back. */
  readonly start: () => Promise<void>;
}

/** Milliseconds in which a client may show what it makes of an outage. One that waits longer shows nothing. */
const lookMs = 500;

/** Of a store whose server goes away and comes back. */
export function outageChecks({ stop, start }: ServerHooks): ChecksOf<SummaryStore> {
  return {
    'does not pass an outage off as an absent value, and answers again after it': async (
      store,
      key,
    ) => {
      const during = newKey();
      await put(store, key, '"before"');
      await stop();
      const read = observed(async () => store.get(key));
      const write = observed(async () => add(store, during, '"during"'));
      try {
        await delay(lookMs, undefined);
        const isLie = read.outcome?.status === 'fulfilled' && !isThere(read.outcome.value);
        expectSame(isLie, false, 'whether a value counts as absent while the server is away');
      } finally {
        await start();
      }
      await eventually(async () => answers(store, key), 'no answer after the server came back');
      if (write.outcome?.status === 'fulfilled' && write.outcome.value)
        expectSame(await store.get(during), '"during"', 'what counts as written in the outage');
    },
  };
}

async function answers(store: SummaryStore, key: string): Promise<boolean> {
  try {
    return (await put(store, key, '"after"')) && (await store.get(key)) === '"after"';
  } catch {
    return false;
  }
}

/** Work whose outcome can be looked at without waiting for it. */
function observed<T>(work: () => Promise<T>): { outcome?: PromiseSettledResult<T> } {
  const observation: { outcome?: PromiseSettledResult<T> } = {};
  void Promise.allSettled([work()]).then(([outcome]) => {
    observation.outcome = outcome;
    return outcome;
  });
  return observation;
}
