import { getEventListeners } from 'node:events';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callContext, middlewareContext } from '../../../src/call/call-context.ts';
import { prepareCall } from '../../../src/call/prepare-call.ts';
import {
  memoryStore,
  type SummarizationOptions,
  type SummaryStore,
  type SummaryStrategy,
} from '../../../src/index.ts';
import { parseDocument } from '../../../src/state/stored-document.ts';
import { storeKeys } from '../../../src/stores/store-keys.ts';
import { chatModel } from '../../support/models.ts';
import { configs } from '../../properties/generators/config-plan.ts';
import { traces } from '../../properties/generators/trace-plan.ts';
import { checkProperty } from '../../properties/rig/check-property.ts';
import { knownStrategy } from '../../properties/rig/known-strategy.ts';
import { plainChat, plainConfig } from '../../properties/rig/plain-plan.ts';
import { stage } from '../../properties/rig/run-plan.ts';
import { unhandledRejections } from '../../properties/rig/unhandled-rejections.ts';
import { turns, until } from '../../support/until.ts';

const reason = new Error('The user closed the tab.');
const secret = 'a secret of the operator';
const full = configs({ fullness: [90, 130], ratioOnly: true });

/** Calls `onStep` before every operation of a store and a strategy. */
function stepping(onStep: () => void | Promise<void>): {
  readonly store: SummaryStore;
  readonly strategy: SummaryStrategy;
  /** What the store holds. */
  readonly values: () => Promise<readonly (readonly [key: string, value: string])[]>;
} {
  const inner = memoryStore();
  const keys = new Set<string>();
  const known = knownStrategy();
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    await onStep();
    return work();
  };
  return {
    values: async () => {
      const held = await Promise.all(
        [...keys].map(async (key) => [key, (await inner.get(key)) ?? ''] as const),
      );
      return held.filter(([, value]) => value !== '');
    },
    store: {
      get: (key) => step(() => inner.get(key)),
      compareAndSet: (key, entry) =>
        step(() => {
          keys.add(key);
          return inner.compareAndSet(key, entry);
        }),
      delete: (key) => step(() => inner.delete(key)),
    },
    strategy: { name: 'known', summarize: (input) => step(() => known.summarize(input)) },
  };
}

function optionsOf({ store, strategy }: ReturnType<typeof stepping>): SummarizationOptions {
  return { store, strategy, secret };
}

async function expectWhole(
  values: readonly (readonly [key: string, value: string])[],
): Promise<void> {
  const keys = storeKeys(secret, '');
  for (const [key, value] of values) {
    const { text = '' } = (await keys.open(key, value)) ?? {};
    expect(parseDocument(text), 'a stored value is a whole document').toBeDefined();
  }
}

describe('an abort', () => {
  it('at any point rejects with its reason and leaves nothing behind (P34, P50, P54)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        full,
        fc.integer({ min: 0, max: 9 }),
        async (plan, config, abortAt) => {
          const controller = new AbortController();
          let steps = 0;
          const parts = stepping(() => {
            if ((steps += 1) === abortAt) controller.abort(reason);
          });
          if (abortAt === 0) controller.abort(reason);
          const { call, params } = await stage(plan, config, optionsOf(parts));
          const reported = await unhandledRejections(async () => {
            const { error } = await call({ ...params, abortSignal: controller.signal });
            expect(error === reason).toBe(controller.signal.aborted);
          });
          expect(reported).toEqual([]);
          expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
          await expectWhole(await parts.values());

          const next = await call(params);
          const failures = next.events.filter((event) => event.type === 'failed');
          // A conversation as short as its summary would be is no concern here.
          expect(failures.filter((event) => event.reason !== 'not-smaller')).toEqual([]);
        },
      ),
    );
  });

  it('rejects at once even if a store or a strategy never answers (P34)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        full,
        fc.integer({ min: 1, max: 4 }),
        async (plan, config, hangAt) => {
          const controller = new AbortController();
          let steps = 0;
          const parts = stepping(() => {
            if ((steps += 1) !== hangAt) return undefined;
            queueMicrotask(() => controller.abort(reason));
            return new Promise<void>(() => {});
          });
          const { call, params } = await stage(plan, config, optionsOf(parts));
          const { error } = await call({ ...params, abortSignal: controller.signal });
          expect(error === reason).toBe(controller.signal.aborted);
        },
      ),
    );
  });

  it('does not start a summary that nobody waits for any more (P35)', async () => {
    const controller = new AbortController();
    let steps = 0;
    let summaries = 0;
    const parts = stepping(() => {
      if ((steps += 1) === 2) controller.abort(reason);
    });
    const strategy: SummaryStrategy = {
      name: 'counting',
      summarize: ({ abortSignal }) => {
        summaries += 1;
        return abortSignal?.aborted === true
          ? Promise.reject(abortSignal.reason)
          : Promise.reject(new Error('never'));
      },
    };
    const reported = await unhandledRejections(async () => {
      const { store } = parts;
      const { call, params } = await stage(plainChat, plainConfig, { store, strategy });
      const { error } = await call({ ...params, abortSignal: controller.signal });
      expect(error).toBe(reason);
      await until(() => steps >= 2);
    });
    expect(summaries).toBe(0);
    expect(reported).toEqual([]);
  });

  it('of one caller leaves the others their summary, and of all of them the next one (P35, P51)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 5 }),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 5 }),
        async (plan, aborting) => {
          const { params, options } = await stage(plan, { ...plainConfig, fullness: 100 });
          const gate = Promise.withResolvers<void>();
          let started = 0;
          let ended: unknown;
          const known = knownStrategy();
          const strategy: SummaryStrategy = {
            name: 'gated',
            summarize: async (input) => {
              started += 1;
              input.abortSignal?.addEventListener('abort', () => {
                ended = input.abortSignal?.reason;
              });
              await gate.promise;
              return known.summarize(input);
            },
          };
          const context = middlewareContext({ ...options, strategy });
          const model = chatModel();
          const callers = aborting.map((aborts) => ({ aborts, controller: new AbortController() }));
          const calls = callers.map(({ controller }) => {
            const given = { ...params, abortSignal: controller.signal };
            return prepareCall(callContext(context, model, given), given).then(
              () => 'sent',
              (error: unknown) => error,
            );
          });
          // A conversation that is too short for a summary never starts one.
          await turns(200);
          for (const { aborts, controller } of callers) if (aborts) controller.abort(reason);
          await turns(1);
          expect(ended).toBeUndefined();
          gate.resolve();
          const results = await Promise.all(calls);
          expect(started).toBeLessThanOrEqual(1);
          if (started === 0) return;
          const rejected = results.map((result) => result === reason);
          expect(rejected).toEqual(aborting);
        },
      ),
    );
  });
});
