import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { cacheFigures, type CacheFigures, type CacheName } from '../util/maps/cache-figures.ts';
import type { SummarizationEvent } from './summarization-event.ts';

/** Mean and 95th percentile of the last 1,000 durations, in milliseconds; 0 without any. */
export interface DurationFigures {
  readonly mean: number;
  readonly p95: number;
}

/** What `stats()` of a middleware says, since it was made. Costs are in tokens at the price of uncached input. */
export interface SummarizationStats {
  /** Calls that were answered. */
  readonly calls: number;
  /** Summaries that were written, by fallbacks too. */
  readonly summaries: number;
  /** Calls of summarising models: all, those that failed or were of no use, those that were aborted. */
  readonly attempts: { readonly made: number; readonly failed: number; readonly aborted: number };
  /** Failed summaries, and what else failed, by reason. */
  readonly failures: Readonly<Record<string, number>>;
  readonly fallbacks: number;
  /** Times that old tool outputs gave way to a line of facts each. */
  readonly condensed: number;
  /** How long summaries took to be written, and how long calls were held up before they were sent. */
  readonly latencyMs: DurationFigures;
  readonly waitMs: DurationFigures;
  readonly tokens: {
    /** Of prompts, those read from a cache included, and of these. */
    readonly input: number;
    readonly cacheRead: number;
    readonly output: number;
    readonly summarizerInput: number;
    readonly summarizerOutput: number;
    /** Tokens that were not sent because a summary or a line of facts stood for them: an estimate. */
    readonly saved: number;
  };
  readonly cost: {
    /** What calls cost, and summaries. */
    readonly calls: number;
    readonly summaries: number;
    /** What the tokens that were not sent would have cost, read from the cache. */
    readonly saved: number;
  };
  /** The caches of this process, all middlewares together. */
  readonly caches: Readonly<Record<CacheName, CacheFigures>>;
}

/** One call that was answered. */
export interface AnsweredCall {
  readonly tokens: Pick<SummarizationStats['tokens'], 'input' | 'cacheRead' | 'output' | 'saved'>;
  readonly cost: Pick<SummarizationStats['cost'], 'calls' | 'saved'>;
}

interface SummaryUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** Adds up what happens to the calls of one middleware. */
export interface CallFigures {
  readonly event: (event: SummarizationEvent) => void;
  readonly attempt: (attempt: Pick<SummaryAttempt, 'outcome'>) => void;
  readonly waited: (ms: number) => void;
  readonly answered: (call: AnsweredCall) => void;
  /** Tokens that summarising models billed, and what they cost. */
  readonly spent: (usage: SummaryUsage, cost: number) => void;
  /** Calls that were answered. */
  readonly calls: () => number;
  readonly stats: () => SummarizationStats;
}

const maxDurations = 1000;
/** Reasons that are told apart: strategies of others may give any. */
const maxReasons = 100;

/** Begins to add up. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function callFigures(): CallFigures {
  const counts = { calls: 0, summaries: 0, fallbacks: 0, condensed: 0 };
  const attempts = { made: 0, failed: 0, aborted: 0 };
  const failures = new Map<string, number>();
  const latencies: number[] = [];
  const waits: number[] = [];
  const tokens = {
    input: 0,
    cacheRead: 0,
    output: 0,
    summarizerInput: 0,
    summarizerOutput: 0,
    saved: 0,
  };
  const cost = { calls: 0, summaries: 0, saved: 0 };
  return {
    event: (event) => {
      switch (event.type) {
        case 'end':
          counts.summaries += 1;
          keep(latencies, event.durationMs);
          return;
        case 'failed': {
          const { reason } = event;
          if (failures.has(reason) || failures.size < maxReasons)
            failures.set(reason, (failures.get(reason) ?? 0) + 1);
          return;
        }
        case 'fallback':
          counts.fallbacks += 1;
          return;
        case 'skipped':
          if (event.reason === 'condensed') counts.condensed += 1;
          return;
        default:
      }
    },
    attempt: ({ outcome }) => {
      attempts.made += 1;
      if (outcome === 'aborted') attempts.aborted += 1;
      else if (outcome !== 'ok') attempts.failed += 1;
    },
    waited: (ms) => {
      keep(waits, ms);
    },
    answered: (call) => {
      counts.calls += 1;
      tokens.input += call.tokens.input;
      tokens.cacheRead += call.tokens.cacheRead;
      tokens.output += call.tokens.output;
      tokens.saved += call.tokens.saved;
      cost.calls += call.cost.calls;
      cost.saved += call.cost.saved;
    },
    spent: ({ inputTokens, outputTokens }, price) => {
      tokens.summarizerInput += inputTokens;
      tokens.summarizerOutput += outputTokens;
      cost.summaries += price;
    },
    calls: () => counts.calls,
    stats: () => ({
      ...counts,
      attempts: { ...attempts },
      failures: Object.fromEntries(failures),
      latencyMs: durationsOf(latencies),
      waitMs: durationsOf(waits),
      tokens: { ...tokens },
      cost: { ...cost },
      caches: cacheFigures(),
    }),
  };
}

function durationsOf(given: readonly number[]): DurationFigures {
  const durations = given.toSorted((a, b) => a - b);
  if (durations.length === 0) return { mean: 0, p95: 0 };
  const mean = durations.reduce((sum, each) => sum + each, 0) / durations.length;
  return { mean, p95: durations[Math.ceil(0.95 * durations.length) - 1] ?? 0 };
}

function keep(durations: number[], ms: number): void {
  durations.push(ms);
  if (durations.length > maxDurations) durations.shift();
}
