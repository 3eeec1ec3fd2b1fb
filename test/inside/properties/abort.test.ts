import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SummaryStrategy } from '../../../src/index.ts';
import { parseDocument } from '../../../src/state/conversation/conversation-documents.ts';
import { storeKeys } from '../../../src/state/stores/store-keys.ts';
import { configs } from '../../properties/generators/config-plan.ts';
import { traces } from '../../properties/generators/trace-plan.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { knownStrategy } from '../../properties/rig/known-strategy.ts';
import { stage } from '../../properties/rig/run-plan.ts';
import { unhandledRejections } from '../../properties/rig/unhandled-rejections.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';

const reason = new Error('The user closed the tab.');
const secret = 'a secret of the operator';

/** Calls `onStep` before every operation of a store and a strategy. */
function stepping(onStep: () => void | Promise<void>) {
  const { entries, open } = sharedStore();
  const known = knownStrategy();
  const step = async <T>(work: () => PromiseLike<T>): Promise<T> => {
    await onStep();
    return work();
  };
  const store = open((plain) => ({
    get: async (key) => step(async () => plain.get(key)),
    compareAndSet: async (key, entry) => step(async () => plain.compareAndSet(key, entry)),
    delete: async (key) => step(async () => plain.delete(key)),
  }));
  const strategy: SummaryStrategy = {
    name: 'known',
    summarize: (input) => step(() => known.summarize(input)),
  };
  return { entries, store, strategy };
}

async function expectWhole(entries: SharedStore['entries']): Promise<void> {
  const keys = storeKeys(secret, '');
  for (const [key, { value }] of entries) {
    const { text = '' } = (await keys.open(key, value)) ?? {};
    expect(parseDocument(text), 'a stored value is a whole document').toBeDefined();
  }
}

describe('an abort', () => {
  it('at any point rejects with its reason, though nothing answers any more, and leaves nothing behind (P34, P50, P54)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        configs({ fullness: [90, 130], ratioOnly: true }),
        fc.integer({ min: 0, max: 9 }),
        fc.boolean(),
        async (plan, config, abortAt, hangs) => {
          const controller = new AbortController();
          let steps = 0;
          const parts = stepping(() => {
            if ((steps += 1) !== abortAt) return undefined;
            if (!hangs) return controller.abort(reason);
            queueMicrotask(() => controller.abort(reason));
            return new Promise<void>(() => {});
          });
          if (abortAt === 0) controller.abort(reason);
          const own = { store: parts.store, strategy: parts.strategy, secret };
          const { call, params } = await stage(plan, config, own);
          const reported = await unhandledRejections(async () => {
            const { error } = await call({ ...params, abortSignal: controller.signal });
            expect(error === reason).toBe(controller.signal.aborted);
          });
          expect(reported).toEqual([]);
          expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
          await expectWhole(parts.entries);
          if (hangs) return;
          const next = await call(params);
          const failures = next.events.filter((event) => event.type === 'failed');
          // A conversation as short as its summary would be is no concern here.
          expect(failures.filter((event) => event.reason !== 'not-smaller')).toEqual([]);
        },
      ),
      600,
    );
  });
});
