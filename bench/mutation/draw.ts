import { randomNumbers } from '../cache/random.ts';

/**
 * Draws without putting back: the same for the same seed and list, and a larger draw begins with the smaller ones.
 *
 * @throws {RangeError} when there are fewer.
 */
export function draw<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  if (count > items.length)
    throw new RangeError(`There are ${items.length} faults to draw from, fewer than ${count}.`);
  const random = randomNumbers(seed);
  const left = [...items];
  return Array.from({ length: count }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}
