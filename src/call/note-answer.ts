import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { pricesOf } from '../options/prices-of.ts';
import type { LearnedLimit, LimitNews } from '../overflow/learned-limits.ts';
import { readUsage } from '../sizing/usage.ts';
import { mediaFamilyOf } from '../tokens/model-family.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import type { SentCall } from './prepare-call.ts';

/** Answers between two lines of the debug log with all figures. */
const callsBetweenLines = 100;

/**
 * Adds an answer to the figures of its middleware: what it cost, and what it would have cost more if all that was given
 * had been sent, by lengths alone.
 */
export function noteAnswer(call: SentCall, usage: LanguageModelV4Usage): void {
  const { options, model, figures, sink } = call;
  const saved = savedTokens(call);
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

function savedTokens({ given, params, scan, model }: SentCall): number {
  if (given.prompt === params.prompt) return 0;
  const family = mediaFamilyOf(model);
  const sent = scan.prompt === params.prompt ? scan : scanPrompt(params, family);
  return Math.max(0, Math.round(scanPrompt(given, family).estimate - sent.estimate));
}

/** Keeps what a call taught about what its model takes, and says so when it is news. */
export function rememberLimit(
  { memory, modelKey, emit }: SentCall,
  ...lesson: [LearnedLimit, Pick<LimitNews, 'evidence' | 'refusedTokens'>]
): void {
  const news = memory.limits.remember(modelKey, ...lesson);
  if (news !== undefined) emit({ type: 'limit-learned', ...news });
}
