import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { encodePrompt } from './encode-prompt.ts';
import type { Method } from './methods/method.ts';
import { answeringModel, summarizingModel } from './mock-models.ts';
import { providerCache } from './provider-cache.ts';
import type { Scenario } from './scenario.ts';

/** What one run of a scenario cost. Tokens; costs in tokens at the price of uncached input. */
export interface Replay {
  readonly calls: number;
  /** Input of the model that answers. */
  readonly main: Input;
  /** Input of the summariser. */
  readonly summarizer: Input;
  /** Summaries that were written, by a model or not. */
  readonly summaries: number;
  readonly mostTokens: number;
  /** Calls before and with which no summary was written, and how many of them extend the call before. */
  readonly between: number;
  readonly extending: number;
}

/** Input tokens by how they are billed. */
export interface Input {
  readonly read: number;
  readonly written: number;
}

const prices = { read: 0.1, written: 1.25 };

/** What input costs, in tokens at the price of uncached input. */
export function costOf({ read, written }: Input): number {
  return read * prices.read + written * prices.written;
}

/**
 * Sends every call of a scenario through a method and a provider's cache. Ends with the first call that
 * does not fit the model.
 */
export async function replay(
  scenario: Scenario,
  method: Method,
  contextLength: number,
): Promise<Replay> {
  const cache = providerCache();
  const main = { read: 0, written: 0 };
  const forSummaries = { read: 0, written: 0 };
  const seen = { calls: 0, summaries: 0, mostTokens: 0, between: 0, extending: 0 };
  let overflown = false;
  let before: { readonly lines: readonly string[]; readonly summaries: number } | undefined;

  const spend = (total: typeof main, options: LanguageModelV4CallOptions): number => {
    const tokens = encodePrompt(options);
    const { read, written } = cache(tokens);
    total.read += read;
    total.written += written;
    return tokens.length;
  };
  const model = method.open({
    contextLength,
    onSummary: () => {
      seen.summaries += 1;
    },
    model: answeringModel((options) => {
      if (encodePrompt(options).length > contextLength) {
        overflown = true;
        return;
      }
      seen.mostTokens = Math.max(seen.mostTokens, spend(main, options));
      seen.calls += 1;
      const lines = linesOf(options.prompt);
      if (before?.summaries === seen.summaries) {
        seen.between += 1;
        if (before.lines.every((line, index) => line === lines[index])) seen.extending += 1;
      }
      before = { lines, summaries: seen.summaries };
    }),
    summarizer: summarizingModel(contextLength * 0.1, (options) => {
      spend(forSummaries, options);
    }),
  });

  for (const count of scenario.calls) {
    // Fresh objects, as the next request brings them.
    const prompt = structuredClone(scenario.messages.slice(0, count));
    await model.doGenerate({ prompt, tools: [...scenario.tools] });
    if (overflown) break;
  }
  return { ...seen, main, summarizer: forSummaries };
}

function linesOf(prompt: LanguageModelV4Prompt): readonly string[] {
  return prompt.map((message) => JSON.stringify(message));
}

/** Tokens of the mean call of the model that answers. */
export function meanTokens({ calls, main }: Replay): number {
  return (main.read + main.written) / calls;
}
