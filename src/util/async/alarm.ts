/** Milliseconds of the longest timer there is, some 25 days: a longer one would ring at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Rings after a time, at once when none is left, never after more than 25 days. Where the event loop stood
 * still beyond it, what has come meanwhile goes first.
 *
 * @returns what silences it.
 */
export function alarm(ms: number, ring: () => void): () => void {
  if (ms > longestTimer) return () => {};
  if (ms <= 0) {
    ring();
    return () => {};
  }
  // The last millisecond begins a turn of the event loop in which what has come is read.
  let timer = setTimeout(() => {
    timer = setTimeout(ring, 1);
  }, ms - 1);
  return () => clearTimeout(timer);
}
