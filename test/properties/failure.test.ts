import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  ContextOverflowError,
  SummarizationError,
  type SummarizationOptions,
  type SummaryStrategy,
} from '../../src/index.ts';
import { faultyStore } from '../chaos/faulty-store.ts';
import { emptyContent } from '../support/empty-content.ts';
import { sharedStore } from '../support/shared-store.ts';
import { untyped } from '../support/untyped.ts';
import { configs } from './generators/config-plan.ts';
import { canary, throwing } from './generators/faults.ts';
import { traces } from './generators/trace-plan.ts';
import { checkProperty } from './rig/check-property.ts';
import { knownStrategy } from './rig/known-strategy.ts';
import { readOutcome } from './rig/read-outcome.ts';
import { stage } from './rig/run-plan.ts';
import { brokenStructure } from './rig/structure-checks.ts';
import { unhandledRejections } from './rig/unhandled-rejections.ts';

/** What strategies throw. */
const thrown: readonly unknown[] = [
  new Error(canary),
  new SummarizationError({ reason: 'transport', message: canary, retryable: true }),
  canary,
  undefined,
  null,
  { message: canary },
];

const { context } = emptyContent('');

/** What a strategy may return although its type forbids it. */
const garbage: readonly unknown[] = [
  undefined,
  null,
  canary,
  {},
  { content: null },
  { content: { summary: '', keyPoints: [], context: {} } },
  { content: { summary: '  \n', keyPoints: [], context } },
  { content: { summary: 'x', keyPoints: canary, context } },
  { content: { summary: 'x', keyPoints: [1], context } },
  { content: { summary: 'x', keyPoints: [], context: { ...context, actionItems: [{}] } } },
];

/** A strategy that does anything, whatever its type says. */
function strategyThat(summarize: () => unknown): SummaryStrategy {
  return { name: 'faulty', summarize: untyped<SummaryStrategy['summarize']>(summarize) };
}

/** Strategies that throw, reject or return what they must not. */
const faultyStrategies: fc.Arbitrary<SummaryStrategy> = fc.oneof(
  fc.constantFrom(...thrown).map((reason) => strategyThat(() => Promise.reject(reason))),
  fc.constantFrom(...thrown).map((reason) =>
    strategyThat(() => {
      throw reason;
    }),
  ),
  fc.constantFrom(...garbage).map((value) => strategyThat(() => Promise.resolve(value))),
  fc.constantFrom(...garbage).map((value) => strategyThat(() => value)),
);

/** What an asynchronous listener comes to; the type of `onEvent` allows it. */
const rejecting = (): void => untyped(Promise.reject(new Error(canary)));

/** Stores whose faults keep nobody waiting; `test/chaos` and `test/hostile` have the others, in virtual time. */
const faultyStores = fc.constantFrom('rejects', 'throws').map((fault) => {
  const store = faultyStore(sharedStore(), () => {});
  store.fault = fault;
  return store;
});

it('whatever fails leaves the call as it was or makes a legal one (P32, P33, P54)', async () => {
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
        onEvent: fc.constantFrom(undefined, throwing, rejecting),
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
