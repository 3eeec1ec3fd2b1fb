import type { Outcome, Price } from './evaluate.ts';

/** How often a method was right, and what it took. */
export interface Figures {
  readonly method: string;
  /** Share of right answers of those that were judged. */
  readonly right: Interval;
  /** How much more often it was right than the first method, question by question. */
  readonly against: Interval;
  readonly undone: number;
  readonly inputTokens: number;
  readonly dollars: number;
  /** Milliseconds of the calls for an answer, at the median. */
  readonly ms: number;
}

/** A mean, and between what it lies with 95 % confidence. */
export interface Interval {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

/** Figures of each method, in the order in which they were asked for. */
export function figuresOf(
  outcomes: readonly Outcome[],
  methods: readonly string[],
  price: Price,
): readonly Figures[] {
  const shares = methods.map((method) =>
    sharesOf(outcomes.filter((each) => each.method === method)),
  );
  return methods.map((method, index) => {
    const own = outcomes.filter((each) => each.method === method);
    const sum = (name: 'inputTokens' | 'outputTokens'): number =>
      own.reduce((total, { [name]: tokens }) => total + tokens, 0);
    const differences = [...(shares[index] ?? [])].flatMap(([question, share]) => {
      const first = shares[0]?.get(question);
      return first === undefined ? [] : [share - first];
    });
    const times = own.map(({ ms }) => ms).toSorted((a, b) => a - b);
    return {
      method,
      right: shareInterval([...(shares[index]?.values() ?? [])]),
      against: differenceInterval(differences),
      undone: own.filter(({ undone }) => undone !== undefined).length,
      inputTokens: sum('inputTokens') / Math.max(1, own.length),
      dollars: (sum('inputTokens') * price.input + sum('outputTokens') * price.output) / 1_000_000,
      ms: times[times.length >> 1] ?? 0,
    };
  });
}

/** The share of right answers of each question over its runs: runs of one question are no further questions. */
function sharesOf(outcomes: readonly Outcome[]): ReadonlyMap<Outcome['question'], number> {
  const judged = outcomes.filter(({ isRight }) => isRight !== undefined);
  const grouped = [...Map.groupBy(judged, ({ question }) => question)];
  return new Map(
    grouped.map(([question, own]) => [question, meanOf(own.map(({ isRight }) => Number(isRight)))]),
  );
}

/** Standard deviations of a normal distribution that hold 95 %. */
const deviations = 1.959964;

/** Wilson's score interval of a share (Wilson 1927, https://doi.org/10.1080/01621459.1927.10502953). */
export function shareInterval(values: readonly number[]): Interval {
  const n = Math.max(1, values.length);
  const mean = meanOf(values);
  const square = deviations ** 2;
  const middle = (mean + square / (2 * n)) / (1 + square / n);
  const half =
    (deviations / (1 + square / n)) * Math.sqrt((mean * (1 - mean)) / n + square / (4 * n * n));
  return { mean, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The mean of paired differences, with the interval of a normal distribution. */
export function differenceInterval(values: readonly number[]): Interval {
  const mean = meanOf(values);
  const squares = values.map((value) => (value - mean) ** 2);
  const half = deviations * Math.sqrt(meanOf(squares) / Math.max(1, values.length - 1));
  return { mean, low: mean - half, high: mean + half };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
