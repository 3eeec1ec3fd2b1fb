import type { Operation } from './operation.ts';

/** Leaves out of a history what its fault can do without: halves first, then ever smaller parts. */
export async function shrinkHistory(
  history: readonly Operation[],
  breaks: (history: readonly Operation[]) => Promise<boolean>,
): Promise<readonly Operation[]> {
  let smallest = history;
  for (let size = Math.ceil(history.length / 2); ; size = Math.ceil(size / 2)) {
    const { length } = smallest;
    for (let at = 0; at < smallest.length;) {
      const rest = smallest.toSpliced(at, size);
      if (await breaks(rest)) smallest = rest;
      else at += size;
    }
    // What a part was needed for may have been left out since.
    if (size === 1 && smallest.length === length) return smallest;
  }
}
