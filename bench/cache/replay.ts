import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { encodePrompt, messageText } from './encode-prompt.ts';
import type { Method } from './methods/method.ts';
import { answeringModel, isAskedForRecord, summarizingModel } from './mock-models.ts';
import { priceTables, type PriceTable } from './prices.ts';
import { providerCaches, type CacheUse } from './provider-cache.ts';
import { shareOfNeeded } from './retention.ts';
import type { Scenario } from './scenario.ts';

/** What one run of conversations cost. Tokens. */
export interface Replay {
  readonly calls: number;
  /** Input of the model that answers, for each price table. */
  readonly main: readonly CacheUse[];
  readonly summarizer: readonly CacheUse[];
  /** Tokens that the summarizer wrote. */
  readonly summarizerOutput: number;
  /** Summaries that were written, by a model or not. */
  readonly summaries: number;
  readonly mostTokens: number;
  /** Calls before and with which no prefix was changed on purpose, and how many of them extend the call before. */
  readonly between: number;
  readonly extending: number;
  /** Of the files that are named again soon, the share that stood in the prompts; `undefined` where there were none. */
  readonly needed: number | undefined;
}

/** What the input of a replay and its summaries cost, in tokens at the price of uncached input. */
export function costOf(
  { main, summarizer, summarizerOutput }: Replay,
  table: number,
): { readonly total: number; readonly summarizer: number } {
  const prices = priceTables[table] ?? priceTables[0];
  if (prices === undefined) throw new RangeError('There is no such price table.');
  const forSummaries = inputCost(summarizer[table], prices) + summarizerOutput * prices.output;
  return { total: inputCost(main[table], prices) + forSummaries, summarizer: forSummaries };
}

function inputCost(
  { read, written }: CacheUse = { read: 0, written: 0 },
  prices: PriceTable,
): number {
  return read * prices.cacheRead + written * prices.cacheWrite;
}

/** Characters of a summary, however long the context: models write hardly more in one answer that is asked to be short. */
const mostCharacters = 10_000;

/** Calls between two looks at what a prompt still holds. */
const callsBetweenLooks = 10;

/**
 * Sends every call of some conversations through a method and the caches of providers: once, whatever tokens cost.
 * Ends with the first call that does not fit the model.
 */
export async function replay(
  scenarios: readonly Scenario[],
  method: Method,
  contextLength: number,
): Promise<Replay> {
  const caches = providerCaches(priceTables.map(({ cacheMinutes }) => cacheMinutes * 60_000));
  const main = priceTables.map(() => ({ read: 0, written: 0 }));
  const forSummaries = priceTables.map(() => ({ read: 0, written: 0 }));
  const seen = { calls: 0, summaries: 0, mostTokens: 0, between: 0, extending: 0 };
  let summarizerOutput = 0;
  let overflown = false;
  let changes = 0;
  let now = 0;
  const looks: number[] = [];

  const spend = (total: typeof main, options: LanguageModelV4CallOptions): readonly CacheUse[] => {
    const uses = caches(encodePrompt(options), now);
    for (const [index, { read, written }] of uses.entries()) {
      const sum = total[index];
      if (sum === undefined) continue;
      sum.read += read;
      sum.written += written;
    }
    return uses;
  };
  const realNow = Date.now;
  Date.now = () => 1_800_000_000_000 + now;
  try {
    for (const scenario of scenarios) {
      let before: { readonly lines: readonly string[]; readonly changes: number } | undefined;
      let count = 0;
      const model = method.open({
        contextLength,
        onSummary: () => {
          seen.summaries += 1;
          changes += 1;
        },
        onChange: () => {
          changes += 1;
        },
        model: answeringModel(
          (options, answered) => {
            if (isAskedForRecord(options)) {
              summarizerOutput += answered;
              return spend(forSummaries, options)[0];
            }
            const [use] = spend(main, options);
            const tokens = (use?.read ?? 0) + (use?.written ?? 0);
            if (tokens > contextLength) overflown = true;
            seen.mostTokens = Math.max(seen.mostTokens, tokens);
            seen.calls += 1;
            const lines = linesOf(options.prompt);
            if (before?.changes === changes) {
              seen.between += 1;
              if (before.lines.every((line, index) => line === lines[index])) seen.extending += 1;
            }
            before = { lines, changes };
            const needed =
              seen.calls % callsBetweenLooks === 0
                ? shareOfNeeded(lines.join('\n'), scenario.messages, count)
                : undefined;
            if (needed !== undefined) looks.push(needed);
            return use;
          },
          Math.min(contextLength * 0.1, mostCharacters),
        ),
        summarizer: summarizingModel(
          Math.min(contextLength * 0.1, mostCharacters),
          (options, answered) => {
            summarizerOutput += answered;
            return spend(forSummaries, options)[0];
          },
        ),
      });
      const { calls, at, messages, tools } = scenario;
      for (const [index, sent] of calls.entries()) {
        count = sent;
        now = at[index] ?? now;
        const prompt = messages.slice(0, count);
        await model.doGenerate({ prompt, tools: [...tools] });
        if (overflown) break;
      }
      if (overflown) break;
    }
  } finally {
    Date.now = realNow;
  }
  return { ...seen, main, summarizer: forSummaries, summarizerOutput, needed: mean(looks) };
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0
    ? undefined
    : values.reduce((before, value) => before + value, 0) / values.length;
}

function linesOf(prompt: LanguageModelV4Prompt): readonly string[] {
  return prompt.map(messageText);
}

/** Tokens of the mean call of the model that answers. */
export function meanTokens({ calls, main: [main] }: Replay): number {
  return main === undefined ? 0 : (main.read + main.written) / calls;
}
