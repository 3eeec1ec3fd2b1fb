import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { pricesOf } from '../options/prices-of.ts';
import type { LearnedLimit, LimitNews } from '../overflow/learned-limits.ts';
import { readUsage } from '../sizing/read-usage.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import type { SentCall } from './prepare-call.ts';

/** Answers between two lines of the debug log with all figures. */
const callsBetweenLines = 100;

/**
 * Adds an answer to the figures of its middleware: what it cost, and what it would have cost more if all that was given
 * had been sent, by lengths alone.
 */
export async function noteAnswer(call: SentCall, usage: LanguageModelV4Usage): Promise<void> {
  const { options, model, figures, sink } = call;
  const saved = await savedTokens(call).catch(() => 0);
  const reported = readUsage(usage);
  const { inputTokens: input = 0, outputTokens: output = 0 } = reported ?? {};
  const { cacheReadTokens: cacheRead = 0, cacheWriteTokens: cacheWrite = 0 } = reported ?? {};
  const { prices } = pricesOf(options, model);
  const uncached = input - cacheRead - cacheWrite;
  const cached = cacheRead * prices.cacheRead + cacheWrite * prices.cacheWrite;
  figures.answered({
    tokens: { input, cacheRead, output, saved },
    cost: { calls: uncached + cached + output * prices.output, saved: saved * prices.cacheRead },
  });
  if (figures.calls() % callsBetweenLines === 0)
    sink.log(`stats ${JSON.stringify(figures.stats())}`);
}

async function savedTokens({ given, params, scan, model }: SentCall): Promise<number> {
  if (given.prompt === params.prompt) return 0;
  const estimateOf = async (sent: typeof params): Promise<number> =>
    (await runInSlices(scanPrompt(sent, mediaFamilyOf(model)), timeSlices())).estimate;
  const sent = scan.prompt === params.prompt ? scan.estimate : await estimateOf(params);
  return Math.max(0, Math.round((await estimateOf(given)) - sent));
}

/** Keeps what a call taught about what its model takes, and says so when it is news. */
export function rememberLimit(
  { memory, modelKey, emit }: SentCall,
  ...lesson: [LearnedLimit, Pick<LimitNews, 'evidence' | 'refusedTokens'>]
): void {
  const news = memory.limits.remember(modelKey, ...lesson);
  if (news !== undefined) emit({ type: 'limit-learned', ...news });
}
