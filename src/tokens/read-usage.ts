import type { LanguageModelV4Usage } from '@ai-sdk/provider';

/** The figures of a usage that are figures. */
export interface UsageFigures {
  /** Tokens of the prompt, cached ones included; more than 0. */
  readonly inputTokens: number;
  readonly outputTokens: number | undefined;
  /** Tokens of reasoning among them. */
  readonly reasoningTokens: number | undefined;
}

/**
 * Reads what a provider reported; `undefined` when it says nothing of the prompt. A figure that is none,
 * or negative, is as good as missing. Some providers report cached tokens beside the others, not among
 * them: then they are added.
 */
export function readUsage({
  inputTokens: { total, noCache, cacheRead, cacheWrite },
  outputTokens,
}: LanguageModelV4Usage): UsageFigures | undefined {
  const cached = (figureOf(cacheRead) ?? 0) + (figureOf(cacheWrite) ?? 0);
  const fresh = figureOf(noCache);
  const stated = figureOf(total) ?? fresh;
  if (stated === undefined) return undefined;
  const isApart = figureOf(total) === undefined || cached > stated || (fresh ?? -1) >= stated;
  const inputTokens = isApart ? stated + cached : stated;
  if (inputTokens === 0) return undefined;
  return {
    inputTokens,
    outputTokens: figureOf(outputTokens.total),
    reasoningTokens: figureOf(outputTokens.reasoning),
  };
}

function figureOf(value: number | undefined): number | undefined {
  return Number.isFinite(value) && Number(value) >= 0 ? value : undefined;
}
