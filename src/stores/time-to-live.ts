/** Longest time that is kept: what a date can hold. */
const maxMs = 8.64e15;

/** A time to live as databases take it: an integer of at least 1, or `undefined` for one without an end. */
export function timeToLive(ttlMs: number | undefined): number | undefined {
  if (ttlMs === undefined || ttlMs > maxMs) return undefined;
  return Math.max(1, Math.ceil(ttlMs));
}
