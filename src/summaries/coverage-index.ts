/** One summarised prefix of the conversations that share an anchor. */
export interface Coverage {
  /** Significant messages covered. */
  readonly count: number;
  /** Characters of their canonical form; rules most entries out without hashing. */
  readonly length: number;
  /** Digest of the covered prefix. */
  readonly digest: string;
}

/**
 * Entries an index keeps, newest last. Conversations that begin with the same words in one namespace
 * share an index; the oldest entry to fall out costs its conversation one more summary, nothing else.
 */
const maxCoverages = 128;

/** Reads a stored index; whatever does not parse is an empty one. */
export function parseCoverageIndex(value: string): readonly Coverage[] {
  try {
    const index: unknown = JSON.parse(value);
    return Array.isArray(index) && index.length <= maxCoverages && index.every(isCoverage)
      ? index
      : [];
  } catch {
    return [];
  }
}

function isCoverage(entry: unknown): entry is Coverage {
  if (typeof entry !== 'object' || entry === null) return false;
  const { count, length, digest }: Partial<Record<keyof Coverage, unknown>> = entry;
  return isWhole(count, 1) && isWhole(length, 0) && typeof digest === 'string';
}

function isWhole(value: unknown, minimum: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= minimum;
}

/** Adds an entry, unless the index holds it already. */
export function addCoverage(index: readonly Coverage[], coverage: Coverage): readonly Coverage[] {
  const others = index.filter((entry) => entry.digest !== coverage.digest);
  return [...others, coverage].slice(-maxCoverages);
}
