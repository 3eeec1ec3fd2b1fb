import { isFunctionWord } from '../user-words/function-words.ts';
import { contentStems } from './content-stems.ts';
import { findValues, type FoundValue } from './values/find-values.ts';
import { stemKey } from './grounding-index.ts';

/** A statement of a model, read for what can be looked up of it. */
export interface Claim {
  readonly text: string;
  /** Position of the message that it is said to come from. */
  readonly citing: number | undefined;
  readonly values: readonly FoundValue[];
  /** Keys of its content words, values aside. */
  readonly words: readonly string[];
  /** Those of them that are spelled as names are. */
  readonly names: readonly string[];
  /** Those in capitals, which other languages write alike. */
  readonly capitals: readonly string[];
}

/** Two words with capitals: in some languages one alone is any noun, and one begins each sentence. */
const named = /(?<![\p{L}\p{N}])\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)+/gu;

const inCapitals = /(?<![\p{L}\p{N}])\p{Lu}{3,}(?![\p{L}\p{N}])/gu;

/** Reads a statement. */
export function readClaim(text: string, citing?: number): Claim {
  const values = findValues(text).filter(({ readings }) => readings.length > 0);
  let rest = '';
  let end = 0;
  for (const value of values.toSorted((one, other) => one.start - other.start)) {
    rest += `${text.slice(end, value.start)} `;
    end = Math.max(end, value.end);
  }
  rest += text.slice(end);
  return {
    text,
    citing,
    values,
    words: keysOf(rest),
    names: keysOf(namesIn(rest).join(' ')),
    capitals: keysOf((rest.match(inCapitals) ?? []).join(' ')),
  };
}

/** All keys under which a claim is looked up. */
export function soughtKeys({ values, words }: Claim): readonly string[] {
  return [...values.flatMap(({ readings }) => readings), ...words];
}

/** Names of two words and more; the article that a sentence begins with is none. */
function namesIn(text: string): readonly string[] {
  return (text.match(named) ?? []).flatMap((found) => {
    const words = found.split(' ');
    const rest = isFunctionWord(words[0]?.toLowerCase() ?? '') ? words.slice(1) : words;
    return rest.length > 1 ? rest : [];
  });
}

function keysOf(text: string): readonly string[] {
  return [...new Set(contentStems(text))].map(stemKey);
}
