/** Erasures by the lists that tell of them; `undefined`: the list tells of none. */
export type Erasures = ReadonlyMap<string, string | undefined>;

/**
 * Whether a conversation was erased since the erasures of its lists were read. A list without one says nothing: it has
 * expired, or cannot be read.
 */
export function wasErased(before: Erasures, listKey: string, erasure: string | undefined): boolean {
  return erasure !== undefined && before.has(listKey) && before.get(listKey) !== erasure;
}
