import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { pricesOf } from '../options/prices-of.ts';
import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { readUsage } from '../sizing/read-usage.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { scanPrompt } from '../tokens/scan-prompt.ts';
import { harmlessly } from '../util/async/callbacks.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import type { CallContext } from './reading/call-context.ts';

/** Answers between two lines of the debug log with all figures. */
const callsBetweenLines = 100;

/** A call that was answered. */
export interface AnsweredPrompt {
  /** The call as it came, without the package's own options. */
  readonly given: CallOptions;
  /** The call as it went out. */
  readonly sent: CallOptions;
  /** The record that alone makes the difference; `undefined` where there is none or something else does too. */
  readonly recordId: string | undefined;
}

/**
 * Adds an answer to the figures of its middleware: what it cost, and what it would have cost more if all that was given
 * had been sent. Never rejects.
 */
export async function noteAnswer(
  context: Pick<CallContext, 'options' | 'model' | 'modelKey' | 'figures' | 'sink'>,
  answered: AnsweredPrompt,
  usage: LanguageModelV4Usage,
): Promise<void> {
  const { options, model, figures, sink } = context;
  const saved = await savedWith(context, answered).catch(() => 0);
  harmlessly(() => {
    const reported = readUsage(usage);
    const { inputTokens: input = 0, cacheReadTokens: cacheRead = 0 } = reported ?? {};
    const { cacheWriteTokens: cacheWrite = 0, outputTokens: output = 0 } = reported ?? {};
    const { prices: price } = pricesOf(options, model);
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
  const { prices, summarizerPrices: { input, output } = prices } = pricesOf(options, model);
  return inputTokens * input + outputTokens * output;
}

const maxRecords = 5000;

/** What records save, by model and id: what one stands for is the same in every call that it stands in. */
const savedByRecord = boundedMap<number>(maxRecords);

async function savedWith(
  { model, modelKey }: Pick<CallContext, 'model' | 'modelKey'>,
  { given, sent, recordId }: AnsweredPrompt,
): Promise<number> {
  if (given.prompt === sent.prompt) return 0;
  if (recordId === undefined) return savedTokens(given, sent, model);
  const key = `${modelKey} ${recordId}`;
  const saved = savedByRecord.get(key) ?? (await savedTokens(given, sent, model));
  savedByRecord.set(key, saved);
  return saved;
}

/** By lengths alone, without the tokenizer. */
async function savedTokens(
  given: CallOptions,
  sent: CallOptions,
  model: ModelIdentity,
): Promise<number> {
  const family = mediaFamilyOf(model);
  const slices = timeSlices();
  const whole = await runInSlices(scanPrompt(given, family), slices);
  const rest = await runInSlices(scanPrompt(sent, family), slices);
  return Math.max(0, Math.round(whole.estimate - rest.estimate));
}
