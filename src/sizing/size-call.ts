import { promptTokens, spareFrameTokens } from './calibration.ts';
import type { CountedCall, SizeInterval } from './count-call.ts';
import type { UsageAnchor } from './usage.ts';

/** A call whose size is asked for. */
export interface SizedCall extends Omit<CountedCall, 'reported' | 'reserve'> {
  /** Finds a call that this one begins like, and whose size was reported. */
  readonly findReported: () => UsageAnchor | undefined;
  /** Tokens the prompt may take. */
  readonly limit: number;
}

/** Tokens by which an estimate from usage may be short: the worst of 896 calls was 781 short. */
const reserveTokens = 1024;
/** Share of the limit that the reserve never exceeds. */
const reserveShare = 0.01;

/**
 * Measures a call in ever narrower intervals, cheapest first, for as long as somebody asks: a bound by its bytes; the
 * usage reported of a call that it begins like, plus a bound of the rest; counts, see `countCall`. The last
 * interval is one size.
 */
export async function* sizeOf(call: SizedCall): AsyncGenerator<SizeInterval, void, void> {
  const { params, scan, limit } = call;
  const rates = call.calibration.rates();
  const uncounted = { fixedTokens: 0, tokenizer: 'unused' } as const;
  yield {
    ...uncounted,
    least: 0,
    most: promptTokens(scan.bound, params.prompt.length, rates),
    tokens: Math.min(scan.estimate, scan.bound) * rates.multiplier,
    measuredBy: 'bound',
  };
  const reported = call.findReported();
  const reserve = Math.min(reserveTokens, limit * reserveShare);
  if (reported !== undefined) {
    const frames = (scan.messages.length - reported.rest) * spareFrameTokens;
    yield {
      ...uncounted,
      least: reported.inputTokens,
      most: reported.tokens + reported.restBound * rates.multiplier + frames + reserve,
      tokens: reported.tokens + reported.restEstimate,
      measuredBy: 'usage',
    };
  }
  // A module of its own, with the tokenizer: most calls are decided before anything is counted.
  const { countCall } = await import('./count-call.ts');
  yield* countCall({ ...call, reported, reserve });
}

let isWarmed = false;

/** Loads the tokenizer once a process, so that no later call waits 200 ms for its tables. */
export async function warmTokenizer(): Promise<void> {
  if (isWarmed) return;
  isWarmed = true;
  const { availableTextCounter } = await import('../tokens/text-counter.ts');
  await availableTextCounter();
}
