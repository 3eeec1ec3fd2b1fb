/** A summarised prefix of the conversations that begin alike. */
export interface IndexedPrefix {
  /** Messages of it that identify the conversation. */
  readonly count: number;
  /** Characters of their canonical form; rules most entries out without hashing. */
  readonly length: number;
  /** Digest of the prefix. */
  readonly digest: string;
}

/**
 * Entries an index keeps, newest last. Conversations that begin with the same words in one namespace
 * share an index; the oldest entry to fall out costs its conversation one more summary, nothing else.
 */
const maxIndexedPrefixes = 128;

/** Reads a stored index; whatever does not parse is an empty one. */
export function parsePrefixIndex(value: string): readonly IndexedPrefix[] {
  try {
    const index: unknown = JSON.parse(value);
    return Array.isArray(index) &&
      index.length <= maxIndexedPrefixes &&
      index.every(isIndexedPrefix)
      ? index
      : [];
  } catch {
    return [];
  }
}

function isIndexedPrefix(entry: unknown): entry is IndexedPrefix {
  if (typeof entry !== 'object' || entry === null) return false;
  const { count, length, digest }: Partial<Record<keyof IndexedPrefix, unknown>> = entry;
  const areWhole = Number.isSafeInteger(count) && Number.isSafeInteger(length);
  return areWhole && Number(count) >= 1 && Number(length) >= 0 && typeof digest === 'string';
}

/** Adds an entry as the newest one. */
export function addPrefix(
  index: readonly IndexedPrefix[],
  prefix: IndexedPrefix,
): readonly IndexedPrefix[] {
  return [...index, prefix].slice(-maxIndexedPrefixes);
}
