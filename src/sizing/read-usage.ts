import type { LanguageModelV4Usage } from '@ai-sdk/provider';

/** The figures of a usage that are figures. */
export interface UsageFigures {
  /** Tokens of the prompt, cached ones included; more than 0. */
  readonly inputTokens: number;
  /** Tokens of it that came from a cache, and that were written to one: together no more than all. */
  readonly cacheReadTokens: number | undefined;
  readonly cacheWriteTokens: number | undefined;
  readonly outputTokens: number | undefined;
  /** Tokens of reasoning among them. */
  readonly reasoningTokens: number | undefined;
}

/**
 * Reads what a provider reported; `undefined` when it says nothing of the prompt. A figure that is none,
 * or negative, is as good as missing, and so is a usage that a provider without types leaves out. Some providers
 * report cached tokens beside the others, not among them: then they are added.
 */
export function readUsage(usage: LanguageModelV4Usage | undefined): UsageFigures | undefined {
  const { total, noCache, cacheRead, cacheWrite } = usage?.inputTokens ?? {};
  const [read, written] = [figureOf(cacheRead), figureOf(cacheWrite)];
  const cached = (read ?? 0) + (written ?? 0);
  const fresh = figureOf(noCache);
  const stated = figureOf(total) ?? fresh;
  if (stated === undefined) return undefined;
  const isApart = figureOf(total) === undefined || cached > stated || (fresh ?? -1) >= stated;
  const inputTokens = isApart ? stated + cached : stated;
  if (inputTokens === 0) return undefined;
  return {
    inputTokens,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    outputTokens: figureOf(usage?.outputTokens?.total),
    reasoningTokens: figureOf(usage?.outputTokens?.reasoning),
  };
}

function figureOf(value: number | undefined): number | undefined {
  return Number.isFinite(value) && Number(value) >= 0 ? value : undefined;
}
