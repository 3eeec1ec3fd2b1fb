/**
 * Rings after a time. Where the event loop stood still beyond it, what has arrived meanwhile is read first:
 * the last millisecond begins a turn of the event loop in which that happens.
 *
 * @returns What stops it; no timer is left.
 */
export function alarm(ms: number, ring: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(ring, 1);
  }, ms - 1);
  return () => clearTimeout(timer);
}
