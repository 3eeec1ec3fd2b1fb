import type { CountedCall } from './count-call.ts';
import type * as Counting from './count-call.ts';
import type { SizeInterval } from './size-interval.ts';
import { promptTokens, spareFrameTokens } from './size-rates.ts';
import type { UsageAnchor } from './usage-memory.ts';

/** A call whose size is asked for. */
export interface SizedCall extends Omit<CountedCall, 'reported' | 'reserve'> {
  /** Finds a call that this one begins like, and whose size was reported. */
  readonly findReported: () => Promise<UsageAnchor | undefined>;
  /** Tokens the prompt may take. */
  readonly limit: number;
}

/** Kept, because the runtime takes 10 µs to find a module again that it has loaded. */
let counting: typeof Counting | undefined;

/** Tokens by which an estimate from usage may be short: the worst of 896 calls was 781 short. */
const reserveTokens = 1024;
/** Share of the limit that the reserve never exceeds. */
const reserveShare = 0.01;

/**
 * Measures a call in ever narrower intervals, cheapest first, for as long as somebody asks: a bound by its bytes; the
 * usage reported of a call that it begins like, plus a bound of the rest; counts, see `countCall`. The last
 * interval is one size.
 */
export async function* sizeCall(call: SizedCall): AsyncGenerator<SizeInterval, void, void> {
  const { params, scan, limit } = call;
  const rates = call.calibration.rates();
  const { multiplier } = rates;
  const most = promptTokens(scan.bound, params.prompt.length, rates);
  const uncounted = { fixedTokens: 0, tokenizer: 'unused' } as const;

  const tokens = Math.min(scan.estimate, scan.bound) * multiplier;
  yield { ...uncounted, least: 0, most, tokens, measuredBy: 'bound' };
  const reported = await call.findReported();
  const reserve = Math.min(reserveTokens, limit * reserveShare);
  if (reported !== undefined) {
    const frames = (scan.messages.length - reported.rest) * spareFrameTokens;
    yield {
      ...uncounted,
      least: reported.inputTokens,
      most: reported.tokens + reported.restBound * multiplier + frames + reserve,
      tokens: reported.tokens + reported.restEstimate,
      measuredBy: 'usage',
    };
  }
  // A module of its own: most calls are decided before anything is counted.
  counting ??= await import('./count-call.ts');
  yield* counting.countCall({ ...call, reported, reserve });
}
