/** Dimensions of a vector: few words share one. */
const dimensions = 512;

/** Words that stand in every text. */
const leastLetters = 5;

/**
 * Embeds texts without a model, by the words they hold: what two texts have in common is then words, not meaning. A
 * model does better.
 */
export async function wordVectors(texts: readonly string[]): Promise<number[][]> {
  return texts.map((text) => {
    const vector = Array.from({ length: dimensions }, () => 0);
    for (const [word] of text.toLowerCase().matchAll(/\p{L}+/gu)) {
      if (word.length < leastLetters) continue;
      let hash = 0;
      for (const character of word)
        hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
      vector[hash % dimensions] = 1;
    }
    return vector;
  });
}
