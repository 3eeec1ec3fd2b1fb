import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { extractSentences } from '../../test/support/extract-sentences.ts';

/** A call of the model as it was answered. */
export interface Call {
  readonly prompt: string;
  readonly answer: string;
}

/**
 * A summariser without a model: sentences with something that looks like an identifier first, then
 * others spread over the text, as many as the prompt allows, in their order.
 *
 * @param failsFrom - Number of the call from which on it is down; used to interrupt a run.
 */
export function extractiveModel(
  onCall: (call: Call) => void,
  failsFrom: number = Number.POSITIVE_INFINITY,
): LanguageModelV4 {
  let calls = 0;
  const doGenerate = async (
    options: LanguageModelV4CallOptions,
  ): Promise<LanguageModelV4GenerateResult> => {
    calls += 1;
    if (calls > failsFrom) throw new Error('The model is down.');
    // Lets concurrent calls overlap as calls over a network do.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const prompt = promptText(options);
    const answer = extractSentences(textsOf(prompt), characterLimit(prompt));
    onCall({ prompt, answer });
    return {
      content: [{ type: 'text', text: answer }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: {
          total: undefined,
          noCache: undefined,
          cacheRead: undefined,
          cacheWrite: undefined,
        },
        outputTokens: { total: undefined, text: undefined, reasoning: undefined },
      },
      warnings: [],
    };
  };
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'openai',
    modelId: 'gpt-5-nano',
    supportedUrls: {},
    doGenerate,
    doStream: () => Promise.reject(new Error('Nothing is streamed here.')),
  };
  return wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() });
}

function promptText({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .flatMap(({ content }) =>
      typeof content === 'string'
        ? [content]
        : content.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    )
    .join('\n');
}

function characterLimit(prompt: string): number {
  return Number(/at most (\d+) characters/.exec(prompt)?.[1] ?? 200);
}

/** The longest line of JSON in a prompt is what is to be summarised. */
function textsOf(prompt: string): readonly string[] {
  const [longest = '""'] = prompt
    .split('\n')
    .filter((line) => /^["[]/.test(line))
    .toSorted((left, right) => right.length - left.length);
  const value: unknown = JSON.parse(longest);
  return [value].flat().filter((text) => typeof text === 'string');
}
