import type { EvalArguments } from '../eval-arguments.ts';
import type { Outcome, StrandFindings } from '../findings.ts';
import {
  differenceInterval,
  meanOf,
  quantile,
  shareInterval,
  type Interval,
} from '../intervals.ts';
import type { Spent } from '../journal.ts';
import { dollarsOf } from '../metered-model.ts';
import type { MethodName } from '../methods/methods.ts';
import type { EvalQuestion } from '../questions/eval-conversation.ts';
import { summed } from '../tally.ts';

/** How often a method was right, and what it took. */
export interface MethodFigures {
  readonly method: MethodName;
  /** Share of right answers; what was refused as too long is not right, what is not judged does not count. */
  readonly accuracy: Interval | undefined;
  /** How much more often it was right than the first method, question by question. */
  readonly difference: Interval | undefined;
  readonly accuracyByType: Readonly<Record<string, Interval | undefined>>;
  readonly answers: number;
  readonly tooLong: number;
  readonly unjudged: number;
  readonly undone: number;
  /** Tokens of an answer on average, with the summaries that were made for it. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Making histories ready, and the summaries of that and of answers. */
  readonly preparing: Spent;
  /** Dollars of answers and of making histories ready, where a price is given. */
  readonly dollars: number | undefined;
  /** Milliseconds of the calls for an answer. */
  readonly medianMs: number;
  readonly slowMs: number;
}

/** All that the reports show. */
export interface Evaluation {
  readonly file: string;
  readonly model: string;
  readonly judge: string;
  readonly contextLength: number;
  readonly runs: number;
  readonly conversations: number;
  readonly questions: number;
  /** Dollars of all calls in the journal, and of those of the judge, where prices are given. */
  readonly paid?: { readonly all: number; readonly judge: number } | undefined;
  /** What is left undone, and how often, by reason. */
  readonly undone: Readonly<Record<string, number>>;
  /** Why prompts were refused as too long, and how often. */
  readonly tooLong: Readonly<Record<string, number>>;
  readonly methods: readonly MethodFigures[];
  readonly outcomes: readonly Outcome[];
}

/** Figures of each method, in the order in which they were named. */
export function figuresOf(
  found: readonly StrandFindings[],
  { methods, price }: EvalArguments,
): readonly MethodFigures[] {
  const shares = methods.map((method) => sharesOf(outcomesOf(found, method)));
  return methods.map((method, index) => {
    const outcomes = outcomesOf(found, method);
    const answers = outcomes.flatMap(({ answer }) =>
      answer === undefined || answer.tooLong !== undefined ? [] : [answer],
    );
    const histories = found.flatMap((strand) =>
      strand.method === method && strand.history !== undefined ? [strand.history] : [],
    );
    const preparing = summed(histories);
    const answering = summed(answers);
    const times = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const tooLong = outcomes.filter(({ answer }) => answer?.tooLong !== undefined).length;
    return {
      method,
      accuracy: shareInterval([...(shares[index]?.values() ?? [])]),
      difference: index === 0 ? undefined : differenceInterval(pairs(shares[index], shares[0])),
      accuracyByType: byType(outcomes),
      answers: answers.length,
      tooLong,
      unjudged: outcomes.filter(isUnjudged).length,
      undone: outcomes.filter(({ undone }) => undone !== undefined).length,
      inputTokens: meanOf(answers.map(({ inputTokens }) => inputTokens)),
      outputTokens: meanOf(answers.map(({ outputTokens }) => outputTokens)),
      preparing: {
        ...preparing,
        summaries: preparing.summaries + answering.summaries,
        degraded: preparing.degraded + answering.degraded,
      },
      dollars: price && dollarsOf(preparing, price) + dollarsOf(answering, price),
      medianMs: quantile(times, 0.5),
      slowMs: quantile(times, 0.95),
    };
  });
}

/** How often texts occur that differ in their numbers alone, under the first of them; the most frequent first. */
export function countsOf(texts: readonly (string | undefined)[]): Readonly<Record<string, number>> {
  const alike = Map.groupBy(
    texts.filter((text) => text !== undefined),
    (text) => text.replaceAll(/\d+/g, '0'),
  );
  const counts = [...alike.values()].map((group): [string, number] => [
    group[0] ?? '',
    group.length,
  ]);
  return Object.fromEntries(counts.toSorted(([, a], [, b]) => b - a));
}

function outcomesOf(found: readonly StrandFindings[], wanted: MethodName): readonly Outcome[] {
  return found.flatMap(({ method, outcomes }) => (method === wanted ? outcomes : []));
}

function isUnjudged({ answer, verdict, undone }: Outcome): boolean {
  const isAnswered = answer !== undefined && answer.tooLong === undefined;
  return isAnswered && verdict === undefined && undone === undefined;
}

/** Whether an outcome counts: what was judged, and what was refused as too long. */
export function isHeld({ answer, verdict }: Outcome): boolean {
  return verdict !== undefined || answer?.tooLong !== undefined;
}

/** By the question itself: two conversations may have the same ids. */
type Shares = ReadonlyMap<EvalQuestion, number>;

/** The share of right answers of each question over its runs. */
function sharesOf(outcomes: readonly Outcome[]): Shares {
  const verdicts = new Map<EvalQuestion, number[]>();
  for (const { question, verdict } of outcomes.filter(isHeld)) {
    const known = verdicts.get(question) ?? [];
    verdicts.set(question, [...known, verdict === 'yes' ? 1 : 0]);
  }
  return new Map([...verdicts].map(([question, values]) => [question, meanOf(values)]));
}

function pairs(shares: Shares | undefined, others: Shares | undefined): readonly number[] {
  return [...(shares ?? [])].flatMap(([question, share]) => {
    const other = others?.get(question);
    return other === undefined ? [] : [share - other];
  });
}

function byType(outcomes: readonly Outcome[]): MethodFigures['accuracyByType'] {
  const types = Map.groupBy(outcomes, ({ question }) => question.type);
  return Object.fromEntries(
    [...types].map(([type, own]) => [type, shareInterval([...sharesOf(own).values()])]),
  );
}
