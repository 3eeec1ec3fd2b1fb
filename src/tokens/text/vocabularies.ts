import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { oncePerModel } from '../../prompt/model-name.ts';
import type { TextCounter } from './create-text-counter.ts';

/** A vocabulary that models of today still use, and that has fewer tokens than o200k for some scripts. */
type SmallVocabulary = 'cl100k' | 'llama-3';

/** Tokens that a UTF-16 unit takes beyond those of o200k, from the first code of a script on. */
type ExtraTokens = readonly (readonly [from: number, tokens: number])[];

/**
 * Measured with both tokenizers on a few sentences of each script: tokens of o200k for a unit, times what the vocabulary
 * takes over it. A text in Arabic comes to 2.0 times its count of o200k under cl100k, in Korean to 1.6, in Thai to 2.3, in
 * Hindi to 3.1; under Llama 3 in Hindi to 1.7.
 */
const extraTokens: Readonly<Record<SmallVocabulary, ExtraTokens>> = {
  cl100k: [
    [0x0370, 0.5], // Greek
    [0x0400, 0.24], // Cyrillic
    [0x0530, 0.63], // Armenian, Hebrew
    [0x0600, 0.36], // Arabic
    [0x0700, 0.6],
    [0x0900, 0.72], // Devanagari
    [0x0980, 1], // the other scripts of India
    [0x0e00, 0.62], // Thai
    [0x0e80, 1.5], // Lao, Tibetan, Burmese, Georgian, Ethiopic, Khmer
    [0x1e00, 0.4], // Vietnamese letters
    [0x1f00, 0.5],
    [0x2000, 0],
    [0x3040, 0.33], // kana
    [0x3400, 0.35], // Chinese
    [0xac00, 0.38], // Korean
    [0xd7b0, 0],
  ],
  'llama-3': [
    [0x0400, 0.07],
    [0x0530, 0.63],
    [0x0600, 0.05],
    [0x0700, 0.6],
    [0x0900, 0.2],
    [0x0980, 1],
    [0x0e00, 0],
    [0x0e80, 1.5],
    [0x1e00, 0],
    [0x3400, 0.05],
    [0xac00, 0],
  ],
};

/** GPT-4 and 3.5, before 4o and 4.1, and Llama 3; what is left has the factor of its model for all scripts. */
const vocabularyOf = oncePerModel<SmallVocabulary | undefined>(({ modelId }) => {
  if (/llama-?v?3/i.test(modelId)) return 'llama-3';
  return /gpt-(?:3\.?5|4(?![o.]|\d\b))/i.test(modelId) ? 'cl100k' : undefined;
});

/**
 * Counts a text as a model's own vocabulary does where that is known to be a smaller one than o200k, for the scripts in
 * which it makes a difference.
 */
export function inVocabularyOf(model: ModelIdentity, counter: TextCounter): TextCounter {
  const vocabulary = vocabularyOf(model);
  if (vocabulary === undefined) return counter;
  const scripts = extraTokens[vocabulary];
  const [[first]] = [scripts[0] ?? [Number.POSITIVE_INFINITY]];
  return {
    ...counter,
    vocabulary,
    count: (text) => {
      let extra = 0;
      for (let index = 0; index < text.length; index += 1) {
        const code = text.charCodeAt(index);
        if (code >= first) extra += scripts.findLast(([from]) => code >= from)?.[1] ?? 0;
      }
      return counter.count(text) + Math.round(extra);
    },
  };
}
