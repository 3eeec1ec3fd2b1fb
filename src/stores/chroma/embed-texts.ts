/** Turns texts into vectors, one each, all of the same length. */
export type EmbedTexts = (texts: string[]) => Promise<number[][]>;

/** Texts given to `embed` at once, and records written or read at once. */
const textsPerBatch = 100;

/** Lists cut into pieces of what is handled at once. */
export function batches<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / textsPerBatch) }, (_, index) =>
    items.slice(index * textsPerBatch, (index + 1) * textsPerBatch),
  );
}

/**
 * Embeds texts, each as a vector of length 1: whatever a collection measures, the nearest is then the
 * one that points the same way.
 *
 * @throws {TypeError} when `embed` does not return a vector of numbers for each text.
 */
export async function embedTexts(embed: EmbedTexts, texts: readonly string[]): Promise<number[][]> {
  const vectors: number[][] = [];
  for (const batch of batches(texts)) {
    // Models refuse a text that is empty.
    const given = batch.map((text) => (text.trim() === '' ? 'nothing' : text.toWellFormed()));
    const embedded = await embed(given);
    if (!Array.isArray(embedded) || embedded.length !== batch.length || !embedded.every(isVector)) {
      throw new TypeError(
        `embed has to return ${batch.length} vectors, arrays of finite numbers, one for each text.`,
      );
    }
    vectors.push(...embedded.map(normalized));
  }
  return vectors;
}

function isVector(vector: unknown): boolean {
  return Array.isArray(vector) && vector.length > 0 && vector.every(Number.isFinite);
}

function normalized(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? [...vector] : vector.map((value) => value / length);
}
