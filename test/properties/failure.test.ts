import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ContextOverflowError,
  memoryStore,
  type SummarizationOptions,
  type SummaryStore,
} from '../../src/index.ts';
import { untyped } from '../support/untyped.ts';
import { configs } from './generators/config-plan.ts';
import {
  canary,
  faultyStores,
  faultyStrategies,
  strategyThat,
  throwing,
  thrown,
} from './generators/faults.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { knownStrategy } from './rig/known-strategy.ts';
import { plainChat, plainConfig } from './rig/plain-plan.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { runPlan, stage } from './rig/run-plan.ts';
import { brokenStructure } from './rig/structure-checks.ts';
import { unhandledRejections } from './rig/unhandled-rejections.ts';

describe('whatever fails', () => {
  it('leaves the call as it was or makes a legal one (P32, P33, P54)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ huge: true }),
        configs(),
        fc.record({
          strategy: fc.oneof(fc.constant(undefined), faultyStrategies),
          fallbackStrategy: fc.oneof(
            fc.constant(undefined),
            faultyStrategies,
            fc.constant(knownStrategy()),
          ),
          store: fc.oneof(fc.constant(undefined), faultyStores),
          pin: fc.constantFrom(undefined, throwing),
          onEvent: fc.constantFrom(undefined, throwing),
          redact: fc.constantFrom(undefined, throwing),
          debug: fc.constantFrom(undefined, throwing),
        }),
        async (plan, config, faults) => {
          const more: SummarizationOptions = Object.fromEntries(
            Object.entries(faults).filter(([, value]) => value !== undefined),
          );
          const staged = await stage(plan, config, more);
          const reported = await unhandledRejections(async () => {
            for (let round = 0; round < 2; round += 1) {
              const outcome = await staged.call(staged.params);
              const { error } = outcome;
              expect(error === undefined || ContextOverflowError.isInstance(error)).toBe(true);
              if (outcome.sent === undefined) continue;
              const { trace } = staged;
              const reading = readOutcome(outcome, config.provider, config.placement);
              expect(brokenStructure({ trace, outcome, reading })).toEqual([]);
              expect(JSON.stringify(outcome.sent)).not.toContain(canary);
            }
          });
          expect(reported).toEqual([]);
        },
      ),
      400,
    );
  });

  it('is forgotten by the next call, which may succeed (P36)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        configs({ fullness: [85, 130], ratioOnly: true }),
        fc.integer({ min: 1, max: 8 }),
        async (plan, config, crashAt) => {
          const inner = memoryStore();
          let operations = 0;
          let isDown = true;
          const crashing = async <T>(work: () => Promise<T>): Promise<T> => {
            operations += 1;
            // A process that was killed writes nothing any more.
            if (isDown && operations >= crashAt) throw new Error(canary);
            return work();
          };
          const store: SummaryStore = {
            get: (key) => crashing(() => inner.get(key)),
            compareAndSet: (key, entry) => crashing(() => inner.compareAndSet(key, entry)),
            delete: (key) => crashing(() => inner.delete(key)),
          };
          const crashed = await runPlan(plan, config, { store });
          isDown = false;
          const next = await runPlan(plan, config, { store: inner });
          const { outcome, trace } = next;
          expect(outcome.error === undefined).toBe(crashed.outcome.error === undefined);
          if (outcome.sent === undefined) return;
          const reading = readOutcome(outcome, config.provider, config.placement);
          expect(brokenStructure({ trace, outcome, reading })).toEqual([]);
        },
      ),
    );
  });

  it('costs one attempt for each strategy, however often the SDK retries (P40)', async () => {
    await checkProperty(
      fc.asyncProperty(
        traces({ minTurns: 4 }),
        configs({ fullness: [85, 130], ratioOnly: true }),
        fc.constantFrom(...thrown),
        async (plan, config, reason) => {
          let attempts = 0;
          const strategy = strategyThat(() => {
            attempts += 1;
            throw reason;
          });
          const { call, params } = await stage(plan, config, { strategy });
          for (let retry = 0; retry < 4; retry += 1) await call({ ...params });
          expect(attempts).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});

/** What an asynchronous listener comes to; the type of `onEvent` allows it. */
const rejecting = (): void => untyped(Promise.reject(new Error(canary)));

describe('a listener', () => {
  it('that rejects harms nobody (P54)', async () => {
    const reported = await unhandledRejections(async () => {
      const { outcome } = await runPlan(plainChat, plainConfig, { onEvent: rejecting });
      expect(outcome.error).toBeUndefined();
    });
    expect(reported).toEqual([]);
  });
});

describe('options of a call', () => {
  it('that are null do not stop it (P32)', async () => {
    const { call, params } = await stage(plainChat, plainConfig);
    const own = untyped<Record<string, boolean>>(null);
    const { error, sent } = await call({ ...params, providerOptions: { summarization: own } });
    expect(error).toBeUndefined();
    expect(sent?.providerOptions).toEqual({});
  });
});
