import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  ContextOverflowError,
  memoryStore,
  SummarizationError,
  type SummarizationOptions,
  type SummaryOutput,
  type SummaryStore,
  type SummaryStrategy,
} from '../../src/index.ts';
import { configs } from './generators/config-plan.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { knownStrategy } from './rig/known-strategy.ts';
import { plainChat, plainConfig } from './rig/plain-plan.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { runPlan, stage } from './rig/run-plan.ts';
import { checkStructure } from './rig/structure-checks.ts';
import { unhandledRejections } from './rig/unhandled-rejections.ts';

vi.setConfig({ testTimeout: 30_000 });

const canary = 'CANARY-7f3a';
const thrown: readonly unknown[] = [
  new Error(canary),
  new SummarizationError({ reason: 'transport', message: canary, retryable: true }),
  canary,
  undefined,
  null,
  { message: canary },
];

/** What a strategy may return although its type forbids it. */
const garbage: readonly unknown[] = [
  undefined,
  null,
  canary,
  {},
  { content: null },
  { content: { summary: '', keyPoints: [], context: {} } },
  { content: { summary: '  \n', keyPoints: [], context: emptyContext() } },
  { content: { summary: 'x', keyPoints: Array(31).fill(canary), context: emptyContext() } },
  { content: { summary: 'x', keyPoints: [1], context: emptyContext() } },
  { content: { summary: 'x', keyPoints: [], context: { ...emptyContext(), actionItems: [{}] } } },
];

function emptyContext(): SummaryOutput['content']['context'] {
  return {
    participants: [],
    decisions: [],
    actionItems: [],
    unresolved: [],
    domainEntities: [],
    constraints: [],
  };
}

function strategyThat(summarize: () => unknown): SummaryStrategy {
  // Only an untyped caller gets this far, which is the point.
  return { name: 'faulty', summarize: summarize as SummaryStrategy['summarize'] };
}

const faultyStrategies = fc.oneof(
  fc.constantFrom(...thrown).map((reason) => strategyThat(() => Promise.reject(reason))),
  fc.constantFrom(...thrown).map((reason) =>
    strategyThat(() => {
      throw reason;
    }),
  ),
  fc.constantFrom(...garbage).map((value) => strategyThat(() => Promise.resolve(value))),
  fc.constantFrom(...garbage).map((value) => strategyThat(() => value)),
);

/** Stores that fail at some of their operations, in turn. */
const faultyStores: fc.Arbitrary<SummaryStore> = fc
  .array(fc.constantFrom('ok', 'reject', 'throw', 'garbage'), { minLength: 1, maxLength: 7 })
  .map((faults) => {
    const inner = memoryStore();
    let operations = 0;
    const faulty = <T>(work: () => Promise<T>, wrong: unknown): Promise<T> => {
      const fault = faults[(operations += 1) % faults.length];
      if (fault === 'throw') throw new Error(canary);
      if (fault === 'reject') return Promise.reject(new Error(canary));
      return fault === 'garbage' ? (Promise.resolve(wrong) as Promise<T>) : work();
    };
    return {
      get: (key) => faulty(() => inner.get(key), '{"record":{"version":1},"lastSummarization":0}'),
      set: (key, value, options) => faulty(() => inner.set(key, value, options), 'yes'),
      delete: (key) => faulty(() => inner.delete(key), 0),
    };
  });

const throwing = (): never => {
  throw new Error(canary);
};

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
              if (outcome.sent === undefined) {
                expect(ContextOverflowError.isInstance(outcome.error), String(outcome.error)).toBe(
                  true,
                );
                continue;
              }
              const { trace } = staged;
              const reading = readOutcome(outcome, config.provider, config.placement);
              checkStructure({ trace, outcome, reading });
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
            set: (key, value, options) => crashing(() => inner.set(key, value, options)),
            delete: (key) => crashing(() => inner.delete(key)),
          };
          const crashed = await runPlan(plan, config, { store });
          isDown = false;
          const next = await runPlan(plan, config, { store: inner });
          const { outcome, trace } = next;
          expect(outcome.error === undefined).toBe(crashed.outcome.error === undefined);
          if (outcome.sent === undefined) return;
          const reading = readOutcome(outcome, config.provider, config.placement);
          checkStructure({ trace, outcome, reading });
        },
      ),
      150,
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
      150,
    );
  });
});

describe('a listener', () => {
  it('that rejects harms nobody (P54)', async () => {
    const onEvent = (): void => {
      // What an asynchronous listener comes to; its type allows it.
      return Promise.reject(new Error(canary)) as unknown as void;
    };
    const reported = await unhandledRejections(async () => {
      const { outcome } = await runPlan(plainChat, plainConfig, { onEvent });
      expect(outcome.error).toBeUndefined();
    });
    expect(reported).toEqual([]);
  });
});

describe('options of a call', () => {
  it('that are null do not stop it (P32)', async () => {
    const { call, params } = await stage(plainChat, plainConfig);
    // What a client sent may end up here; the type only holds for what the compiler has seen.
    const own = null as unknown as Record<string, boolean>;
    const { error, sent } = await call({ ...params, providerOptions: { summarization: own } });
    expect(error).toBeUndefined();
    expect(sent?.providerOptions).toEqual({});
  });
});
