import MiniSearch from 'minisearch';

/** A piece of a message. */
export interface Passage {
  readonly position: number;
  /** Characters of the message before it. */
  readonly offset: number;
  readonly text: string;
}

/** Characters of a passage: a hit shows one of them. */
const passageCharacters = 1200;
/** Hits that are shown at most. */
const maxHits = 8;

/**
 * Makes a full-text index of messages: BM25+ over words as they stand, without stemming. Identifiers and paths
 * are found by their parts too, and by their beginnings from three letters on.
 */
export function searchIndex(texts: readonly string[]): (query: string) => readonly Passage[] {
  const passages = texts.flatMap((text, position) => passagesOf(text, position));
  const index = new MiniSearch<Passage & { readonly id: number }>({
    fields: ['text'],
    processTerm: subwordsOf,
    searchOptions: {
      processTerm: (term) => term.toLowerCase(),
      prefix: (term) => term.length >= 3,
      // A word that is found whole says more than one that only begins like it.
      weights: { prefix: 0.3, fuzzy: 0 },
    },
  });
  index.addAll(passages.map((passage, id) => ({ id, ...passage })));
  return (query) =>
    index
      .search(query)
      .slice(0, maxHits)
      .flatMap(({ id }) => passages[Number(id)] ?? []);
}

function passagesOf(text: string, position: number): readonly Passage[] {
  const passages: Passage[] = [];
  for (let offset = 0; offset < text.length; offset += passageCharacters)
    passages.push({ position, offset, text: text.slice(offset, offset + passageCharacters) });
  return passages;
}

/** A word, and the words that are joined in it by capitals or digits: `readFile2` as read, file and 2. */
function subwordsOf(term: string): string[] {
  const parts = term.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u);
  return [...new Set([term, ...parts].map((part) => part.toLowerCase()))];
}
