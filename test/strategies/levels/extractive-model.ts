import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { MockLanguageModelV4 } from 'ai/test';
import { extractSentences } from '../../support/extract-sentences.ts';
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
  const isChunk = prompt.includes('Summarise this part') || /"parts":\d/.test(prompt);
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
