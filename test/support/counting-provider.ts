import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { loadTextCounter } from '../../src/tokens/text/load-text-counter.ts';
import { measureMessage, type PromptMeasure } from '../../src/tokens/measure-message.ts';
import { textResult } from './models.ts';

/** How a provider counts what it is sent, and how it tells. */
export interface Counting {
  /** Tokens of the frame of a message. */
  readonly messageTokens: number;
  /** Tokens of the frame of a tool call or a tool result. */
  readonly toolPartTokens: number;
  readonly countsTools: boolean;
  /** Tokens that it adds to every prompt. */
  readonly hiddenTokens: number;
  readonly usage: Reporting;
}

/** The ways of reporting that were seen. All but the last few say the truth where they say anything. */
export type Reporting =
  | 'total'
  | 'cached among'
  | 'cached apart'
  | 'parts only'
  | 'missing'
  | 'zero'
  | 'not a number'
  | 'negative'
  | 'without output'
  | 'output not a number'
  | 'output too small';

/** A prompt that reached the model, and what it really came to. */
export interface Received {
  readonly tokens: number;
  /** Whether usage of this model had been reported before. */
  readonly isAfterUsage: boolean;
}

/** How a provider counts what it is sent: with o200k and frames of its own. */
export async function promptCounter(
  counting: Omit<Counting, 'usage'>,
): Promise<(options: LanguageModelV4CallOptions) => number> {
  const counter = await loadTextCounter();
  const texts: PromptMeasure = { text: counter.count, file: () => 0 };
  const ownFrames: PromptMeasure = { text: () => 0, json: () => 0, file: () => 0 };
  return ({ prompt, tools = [] }) => {
    let total = counting.hiddenTokens;
    for (const message of prompt) {
      total += measureMessage(message, texts) - measureMessage(message, ownFrames);
      total += counting.messageTokens;
      if (typeof message.content === 'string') continue;
      for (const { type } of message.content)
        if (type.startsWith('tool-')) total += counting.toolPartTokens;
    }
    return total + (counting.countsTools ? counter.count(JSON.stringify(tools)) : 0);
  };
}

/** A model that counts with o200k and frames of its own, and answers `Understood.`. */
export async function countingProvider(
  counting: Counting,
  identity: { readonly provider: string; readonly modelId: string },
): Promise<{ readonly model: MockLanguageModelV4; readonly received: Received[] }> {
  const received: Received[] = [];
  const tokensOf = await promptCounter(counting);
  let hasReported = false;
  const model = new MockLanguageModelV4({
    ...identity,
    doGenerate: async (params) => {
      const tokens = tokensOf(params);
      received.push({ tokens, isAfterUsage: hasReported });
      const usage = usageOf(tokens, counting.usage);
      hasReported ||=
        usage.inputTokens.total !== undefined || usage.inputTokens.noCache !== undefined;
      return { ...textResult('Understood.'), usage };
    },
  });
  return { model, received };
}

/** What a provider reports of a prompt of so many tokens. */
export function usageOf(tokens: number, reporting: Reporting): LanguageModelV4Usage {
  const cached = Math.floor(tokens * 0.9);
  const report = (
    input: Partial<LanguageModelV4Usage['inputTokens']>,
    output: number | undefined = 3,
  ) => ({
    inputTokens: {
      total: undefined,
      noCache: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
      ...input,
    },
    outputTokens: { total: output, text: output, reasoning: undefined },
  });
  switch (reporting) {
    case 'total':
      return report({ total: tokens });
    case 'cached among':
      return report({ total: tokens, noCache: tokens - cached, cacheRead: cached });
    case 'cached apart':
      return report({ total: tokens - cached, noCache: tokens - cached, cacheRead: cached });
    case 'parts only':
      return report({ noCache: tokens - cached, cacheRead: cached });
    case 'missing':
      return report({});
    case 'zero':
      return report({ total: 0 }, 0);
    case 'not a number':
      return report({ total: Number.NaN }, Number.NaN);
    case 'negative':
      return report({ total: -tokens }, -3);
    case 'without output':
      return {
        ...report({ total: tokens }),
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      };
    case 'output not a number':
      return report({ total: tokens }, Number.NaN);
    case 'output too small':
      return report({ total: tokens }, 0);
  }
}
