/**
 * Rings after a time, at once when none is left, never after an infinite one. Where the event loop stood
 * still beyond it, what has come meanwhile goes first.
 *
 * @returns what silences it.
 */
export function alarm(ms: number, ring: () => void): () => void {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
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
