import type { SourceRole, SourceText } from '../rule-based/texts/source-texts.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import { languageOf } from '../user-words/function-words.ts';
import { contentStems } from './content-stems.ts';
import { findValues } from './values/find-values.ts';
import { stretchesOf } from './stretches.ts';

/** A sentence or line of a source, and what of the sought it holds. */
export interface Stretch {
  /** Its number among all; neighbours of one text follow one another. */
  readonly id: number;
  /** Position of its message in the conversation; -1 for an earlier record. */
  readonly message: number;
  readonly role: SourceRole;
  /** Number of the text that it is cut from. */
  readonly source: number;
  readonly text: string;
  /** Keys of values and words that were sought. */
  readonly keys: ReadonlySet<string>;
}

/** Where in the sources the values and words stand that claims speak of. */
export interface GroundingIndex {
  /** Stretches that hold a key, by their ids, ascending. */
  readonly holding: (key: string) => readonly number[];
  /** `undefined` where a stretch holds nothing that is sought. */
  readonly stretch: (id: number) => Stretch | undefined;
  /** Languages that user and assistant speak, by number. */
  readonly languages: ReadonlySet<number>;
}

/** Characters of a text by which its language is told. */
const languageCharacters = 1000;

/** The key under which a word is looked up. */
export function stemKey(stem: string): string {
  return `word ${stem}`;
}

/** Reads all sources once for the keys that claims ask for; of the rest nothing is kept. */
export async function indexSources(
  sources: readonly SourceText[],
  sought: ReadonlySet<string>,
  slices: TimeSlices,
): Promise<GroundingIndex> {
  const postings = new Map<string, number[]>();
  const stretches = new Map<number, Stretch>();
  const languages = new Set<number>();
  let id = 0;
  for (const [source, { index: message, role, text: whole, call }] of sources.entries()) {
    // What a call did is often in its name alone.
    const name = role === 'call' ? (call?.toolName ?? '').replaceAll(/[_-]+/g, ' ') : '';
    const spoken = role === 'user' || role === 'assistant';
    const language = spoken ? languageIn(whole.slice(0, languageCharacters)) : undefined;
    if (language !== undefined) languages.add(language);
    for (const text of stretchesOf(whole)) {
      const keys = new Set([
        ...findValues(text).flatMap(({ means }) => means.filter((key) => sought.has(key))),
        ...contentStems(`${name} ${text}`)
          .map(stemKey)
          .filter((key) => sought.has(key)),
      ]);
      if (keys.size > 0) {
        stretches.set(id, { id, message, role, source, text, keys });
        for (const key of keys) {
          const known = postings.get(key);
          if (known === undefined) postings.set(key, [id]);
          else known.push(id);
        }
      }
      id += 1;
      const pause = slices.pause();
      if (pause !== undefined) await pause;
    }
  }
  return {
    holding: (key) => postings.get(key) ?? [],
    stretch: (at) => stretches.get(at),
    languages,
  };
}

/** The language of a text, by the words that every text of a language holds. */
export function languageIn(text: string): number | undefined {
  return languageOf(text.toLowerCase().match(/\p{L}+/gu) ?? []);
}
