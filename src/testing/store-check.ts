import { canonicalJson } from '../json/canonical-json.ts';

/** One thing that a store has to do, for any test runner. */
export interface StoreCheck {
  readonly name: string;
  /** Rejects when the store does otherwise. */
  readonly run: () => Promise<void>;
}

/**
 * Throws unless two values say the same as JSON.
 *
 * @throws {Error} with both values.
 */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [actual, expected].map((value) => canonicalJson(value));
  if (got !== wanted) throw new Error(`${what}: expected ${wanted}, got ${got}`);
}
