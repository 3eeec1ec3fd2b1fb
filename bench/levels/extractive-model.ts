import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';

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
  failsFrom = Number.POSITIVE_INFINITY,
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
    const answer = extract(textsOf(prompt), characterLimit(prompt));
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
  return {
    specificationVersion: 'v4',
    provider: 'openai',
    modelId: 'gpt-5-nano',
    supportedUrls: {},
    doGenerate,
    doStream: () => Promise.reject(new Error('Nothing is streamed here.')),
  };
}

function promptText({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .flatMap(({ content }) => (typeof content === 'string' ? [content] : content))
    .map((part) => (typeof part === 'string' ? part : part.type === 'text' ? part.text : ''))
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

function extract(texts: readonly string[], maxCharacters: number): string {
  const sentences = texts.flatMap((text) => text.match(/[^.!?\n]+[.!?]?/g) ?? []);
  const indexes = [...sentences.keys()];
  const named = indexes.filter((index) => /\b[A-Z]+-\d+[A-Z]*\b/.test(sentences[index] ?? ''));
  const chosen = new Set<number>();
  let length = 0;
  for (const index of [...spread(named), ...spread(indexes)]) {
    const size = (sentences[index] ?? '').trim().length + 1;
    if (chosen.has(index) || length + size > maxCharacters) continue;
    chosen.add(index);
    length += size;
  }
  const kept = sentences.filter((_, index) => chosen.has(index));
  return kept.map((sentence) => sentence.trim()).join(' ') || 'Nothing.';
}

/** The first and the last item, then the others in an order whose every beginning is spread evenly. */
function spread(items: readonly number[]): readonly number[] {
  const place = (position: number): number =>
    position === 0 || position === items.length - 1 ? -1 : (position * 0.618_033_988_75) % 1;
  return items
    .map((item, position) => ({ item, place: place(position) }))
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
