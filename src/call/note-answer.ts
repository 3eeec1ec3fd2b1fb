import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { pricesOf } from '../options/prices-of.ts';
import { relativeTo } from '../planning/weigh-summary.ts';
import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { readUsage } from '../sizing/read-usage.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { scanSteps } from '../tokens/scan-prompt.ts';
import { harmlessly } from '../util/async/harmlessly.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import type { CallContext } from './reading/call-context.ts';

/** Answers between two lines of the debug log with all figures. */
const callsBetweenLines = 100;

/**
 * Adds an answer to the figures of its middleware: what it cost, and what it would have cost more if all that was given
 * had been sent. Never rejects.
 *
 * @param given - The call as it came, without the package's own options.
 * @param sent - The call as it went out.
 */
export async function noteAnswer(
  { options, model, figures, sink }: Pick<CallContext, 'options' | 'model' | 'figures' | 'sink'>,
  { given, sent }: { readonly given: CallOptions; readonly sent: CallOptions },
  usage: LanguageModelV4Usage,
): Promise<void> {
  const saved = await savedTokens(given, sent, model).catch(() => 0);
  harmlessly(() => {
    const { inputTokens: input = 0, outputTokens: output = 0 } = readUsage(usage) ?? {};
    const cacheRead = Math.min(input, usage.inputTokens.cacheRead ?? 0);
    const cacheWrite = Math.min(input - cacheRead, usage.inputTokens.cacheWrite ?? 0);
    const { prices } = pricesOf(options, model);
    const price = relativeTo(prices, prices.input);
    const calls =
      input -
      cacheRead -
      cacheWrite +
      cacheRead * price.cacheRead +
      cacheWrite * price.cacheWrite +
      output * price.output;
    figures.answered({
      tokens: { input, cacheRead, output, saved },
      cost: { calls, saved: saved * price.cacheRead },
    });
    if (figures.calls() % callsBetweenLines === 0)
      sink.log(`stats ${JSON.stringify(figures.stats())}`);
  });
}

/** What summarising models billed costs, in tokens at the price of uncached input of the model they work for. */
export function costOfUsage(
  options: Parameters<typeof pricesOf>[0],
  model: ModelIdentity,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
): number {
  const { prices, summarizerPrices = prices } = pricesOf(options, model);
  const { input, output } = relativeTo(summarizerPrices, prices.input);
  return inputTokens * input + outputTokens * output;
}

/** By lengths alone: it is done with every answer. */
async function savedTokens(
  given: CallOptions,
  sent: CallOptions,
  model: ModelIdentity,
): Promise<number> {
  if (given.prompt === sent.prompt) return 0;
  const family = mediaFamilyOf(model);
  const slices = timeSlices();
  const whole = await runInSlices(scanSteps(given, family), slices);
  const rest = await runInSlices(scanSteps(sent, family), slices);
  return Math.max(0, Math.round(whole.estimate - rest.estimate));
}
