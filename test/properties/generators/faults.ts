import * as fc from 'fast-check';
import { emptyContent } from '../../support/empty-content.ts';
import {
  memoryStore,
  SummarizationError,
  type SummaryStore,
  type SummaryStrategy,
} from '../../../src/index.ts';
import { untyped } from '../../support/untyped.ts';

/** Stands in every error: no prompt may hold it. */
export const canary = 'CANARY-7f3a';
/** What strategies throw. */
export const thrown: readonly unknown[] = [
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
  { content: { summary: 'x', keyPoints: Array(31).fill(canary), context } },
  { content: { summary: 'x', keyPoints: [1], context } },
  { content: { summary: 'x', keyPoints: [], context: { ...context, actionItems: [{}] } } },
];

/** A strategy that does anything, whatever its type says. */
export function strategyThat(summarize: () => unknown): SummaryStrategy {
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

/** Stores that fail at some of their operations, in turn. */
export const faultyStores: fc.Arbitrary<SummaryStore> = fc
  .array(fc.constantFrom('ok', 'reject', 'throw', 'garbage'), { minLength: 1, maxLength: 7 })
  .map((faults) => {
    const inner = memoryStore();
    let operations = 0;
    const faulty = <T>(work: () => Promise<T>, wrong: unknown): Promise<T> => {
      const fault = faults[(operations += 1) % faults.length];
      if (fault === 'throw') throw new Error(canary);
      if (fault === 'reject') return Promise.reject(new Error(canary));
      return fault === 'garbage' ? untyped<Promise<T>>(Promise.resolve(wrong)) : work();
    };
    return {
      get: (key) => faulty(() => inner.get(key), '{"record":{"version":1},"lastSummarization":0}'),
      compareAndSet: (key, entry) => faulty(() => inner.compareAndSet(key, entry), 'yes'),
      delete: (key) => faulty(() => inner.delete(key), 0),
    };
  });

/** A hook that throws. */
export const throwing = (): never => {
  throw new Error(canary);
};
