import * as fc from 'fast-check';
import { emptyContent } from '../../support/empty-content.ts';
import { SummarizationError, type SummaryStrategy } from '../../../src/index.ts';
import { untyped } from '../../support/untyped.ts';

/** Stands in every error: no prompt may hold it. */
export const canary = 'CANARY-7f3a';
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
export const faultyStrategies: fc.Arbitrary<SummaryStrategy> = fc.oneof(
  fc.constantFrom(...thrown).map((reason) => strategyThat(() => Promise.reject(reason))),
  fc.constantFrom(...thrown).map((reason) =>
    strategyThat(() => {
      throw reason;
    }),
  ),
  fc.constantFrom(...garbage).map((value) => strategyThat(() => Promise.resolve(value))),
  fc.constantFrom(...garbage).map((value) => strategyThat(() => value)),
);

/** A hook that throws. */
export const throwing = (): never => {
  throw new Error(canary);
};
