/**
 * Whether a conversation was erased since the erasures of its lists were read. A list without one says nothing: it has
 * expired, or cannot be read.
 */
export function wasErased(
  before: ReadonlyMap<string, string | undefined>,
  listKey: string,
  erasure: string | undefined,
): boolean {
  return erasure !== undefined && before.has(listKey) && before.get(listKey) !== erasure;
}
