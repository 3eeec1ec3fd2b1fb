import { textOf } from '../segments.ts';
import type { Method } from './method.ts';

/** The end of a text that takes at most some tokens. */
export function tailOf(text: string, budget: number, count: (text: string) => number): string {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (count(text.slice(middle)) <= budget) high = middle;
    else low = middle + 1;
  }
  return text.slice(low);
}

/** Keeps what was said last. */
export const dropOldest: Method = {
  name: 'drop oldest',
  compact: ({ evicted }, budget, count) => tailOf(textOf(evicted), budget, count),
};
