import { z } from 'zod/v4';
import { parseStored } from './stored-summary.ts';

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

const coverageIndexSchema: z.ZodType<readonly Coverage[]> = z
  .array(z.object({ count: z.int().min(1), length: z.int().min(0), digest: z.string() }))
  .max(maxCoverages);

/** Reads a stored index; whatever does not parse is an empty one. */
export function parseCoverageIndex(value: string | undefined): readonly Coverage[] {
  return parseStored(value, coverageIndexSchema) ?? [];
}

/** Adds an entry, unless the index holds it already. */
export function addCoverage(index: readonly Coverage[], coverage: Coverage): readonly Coverage[] {
  const others = index.filter((entry) => entry.digest !== coverage.digest);
  return [...others, coverage].slice(-maxCoverages);
}
