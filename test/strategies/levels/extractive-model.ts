import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { answer, modelResult, promptText } from '../llm/fixtures.ts';

/** What a model was asked: by which template, how long, about what. */
export interface Asked {
  readonly kind: 'chunk' | 'meta' | 'object' | 'whole';
  readonly maxCharacters: number;
  readonly texts: readonly string[];
  readonly prompt: string;
}

export function askedOf(options: LanguageModelV4CallOptions | undefined): Asked {
  const prompt = promptText(options);
  const isObject = options?.responseFormat?.type === 'json';
  const isMeta = prompt.includes('Merge them into one summary');
  const isChunk = prompt.includes('Summarize this part') || /"parts":\d/.test(prompt);
  const [, limit = '200'] = /(?:at most|under) (\d+) characters/.exec(prompt) ?? [];
  const json = prompt
    .split('\n')
    .filter((line) => /^["[]/.test(line))
    .toSorted((left, right) => right.length - left.length)[0];
  const kind = isMeta ? 'meta' : isChunk ? 'chunk' : 'whole';
  return {
    kind: isObject ? 'object' : kind,
    maxCharacters: Number(limit),
    texts: textsIn(JSON.parse(json ?? '""')),
    prompt,
  };
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A model that condenses what it reads; `before` may fail or wait. */
export function extractiveModel(
  before: (call: number, asked: Asked, options: LanguageModelV4CallOptions) => unknown = () => {},
  modelId = 'extractive',
): MockLanguageModelV4 {
  let calls = 0;
  return new MockLanguageModelV4({
    provider: 'mock',
    modelId,
    doGenerate: async (options): Promise<LanguageModelV4GenerateResult> => {
      const asked = askedOf(options);
      calls += 1;
      await before(calls - 1, asked, options);
      const summary = extractSentences(asked.texts, asked.maxCharacters);
      return modelResult(asked.kind === 'object' ? JSON.stringify(answer({ summary })) : summary);
    },
  });
}

/** The kinds of calls a model has had, in order. */
export function kindsOf(model: MockLanguageModelV4, from = 0): readonly Asked['kind'][] {
  return model.doGenerateCalls.slice(from).map((call) => askedOf(call).kind);
}

/**
 * Condenses by extraction: sentences with something that looks like an identifier first, then others,
 * each spread over the texts, in their order, within the asked length.
 */
function extractSentences(texts: readonly string[], maxCharacters: number): string {
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
