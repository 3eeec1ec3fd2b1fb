import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { countText } from './count-text.ts';
import { apiError, textParts, textResult } from './models.ts';

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

type Reported = LanguageModelV4Usage['inputTokens'];

/** What is said of a prompt, and tokens of the answer: `undefined` where it is left out. */
type Report = readonly [input: Partial<Reported>, output?: number | undefined];

/** The ways of reporting that were seen. All but the last few say the truth where they say anything. */
const reports = {
  total: (total: number): Report => [{ total }, 3],
  'cached among': (total: number, noCache: number): Report => [
    { total, noCache, cacheRead: total - noCache },
    3,
  ],
  'cached apart': (total: number, noCache: number): Report => [
    { total: noCache, noCache, cacheRead: total - noCache },
    3,
  ],
  'parts only': (total: number, noCache: number): Report => [
    { noCache, cacheRead: total - noCache },
    3,
  ],
  missing: (): Report => [{}, 3],
  zero: (): Report => [{ total: 0 }, 0],
  'not a number': (): Report => [{ total: Number.NaN }, Number.NaN],
  negative: (total: number): Report => [{ total: -total }, -3],
  'without output': (total: number): Report => [{ total }],
  'output not a number': (total: number): Report => [{ total }, Number.NaN],
  'output too small': (total: number): Report => [{ total }, 0],
};

export type Reporting = keyof typeof reports;

/** A prompt that reached the model, and what it really came to. */
export interface Received {
  readonly params: LanguageModelV4CallOptions;
  readonly tokens: number;
  /** Whether usage of this model had been reported before. */
  readonly isAfterUsage: boolean;
  readonly isRefused: boolean;
}

/** How a provider counts what it is sent: with o200k and frames of its own. */
export function promptCounter(
  counting: Omit<Counting, 'usage'>,
): (options: LanguageModelV4CallOptions) => number {
  return ({ prompt, tools = [] }) => {
    let total = counting.hiddenTokens;
    for (const message of prompt) {
      for (const text of textsOf(message)) total += countText(text);
      total += counting.messageTokens;
      if (typeof message.content === 'string') continue;
      for (const { type } of message.content)
        if (type.startsWith('tool-')) total += counting.toolPartTokens;
    }
    return total + (counting.countsTools ? countText(JSON.stringify(tools)) : 0);
  };
}

/** All that is text in a message. Files cost nothing here. */
function textsOf({ content }: LanguageModelV4Message): readonly string[] {
  if (typeof content === 'string') return [content];
  return content.flatMap((part) => {
    switch (part.type) {
      case 'text':
      case 'reasoning':
        return [part.text];
      case 'tool-call':
        return [part.toolName, JSON.stringify(part.input)];
      case 'tool-result':
        return [part.toolName, ...outputTexts(part.output)];
      case 'tool-approval-response':
        return [part.reason ?? ''];
      default:
        return [];
    }
  });
}

function outputTexts(output: LanguageModelV4ToolResultOutput): readonly string[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return [output.value];
    case 'json':
    case 'error-json':
      return [JSON.stringify(output.value)];
    case 'execution-denied':
      return [output.reason ?? 'Tool call execution denied.'];
    case 'content':
      return output.value.map((part) => (part.type === 'text' ? part.text : ''));
  }
}

/**
 * A model that counts with o200k and frames of its own, refuses what is too long for it, and answers `Understood.`.
 *
 * @param onReceived - Told of each prompt as it comes.
 */
export function countingProvider(
  counting: Counting,
  {
    contextLength = Infinity,
    ...identity
  }: { readonly provider: string; readonly modelId: string; readonly contextLength?: number },
  onReceived: (received: Received) => void = () => {},
): { readonly model: MockLanguageModelV4; readonly received: Received[] } {
  const received: Received[] = [];
  const tokensOf = promptCounter(counting);
  let isAfterUsage = false;
  const receive = (params: LanguageModelV4CallOptions): LanguageModelV4Usage => {
    const tokens = tokensOf(params);
    const isRefused = tokens > contextLength;
    const prompt = { params, tokens, isAfterUsage, isRefused };
    received.push(prompt);
    onReceived(prompt);
    if (isRefused)
      throw apiError(
        `This model's maximum context length is ${contextLength} tokens. However, your messages resulted in ${tokens} tokens.`,
      );
    const usage = usageOf(tokens, counting.usage);
    isAfterUsage ||=
      usage.inputTokens.total !== undefined || usage.inputTokens.noCache !== undefined;
    return usage;
  };
  const model = new MockLanguageModelV4({
    ...identity,
    doGenerate: async (params) => {
      const usage = receive(params);
      return { ...textResult('Understood.'), usage };
    },
    doStream: async (params) => {
      const usage = receive(params);
      const chunks = textParts('Understood.').map((part) =>
        part.type === 'finish' ? { ...part, usage } : part,
      );
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
  return { model, received };
}

/** What a provider reports of a prompt of so many tokens. */
function usageOf(tokens: number, reporting: Reporting): LanguageModelV4Usage {
  const [input, output] = reports[reporting](tokens, tokens - Math.floor(tokens * 0.9));
  const nothing = { total: undefined, noCache: undefined, cacheRead: undefined };
  return {
    inputTokens: { ...nothing, cacheWrite: undefined, ...input },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}
