/** A whole number from `least` on, below `most`. */
export function between(random: () => number, least: number, most: number): number {
  return least + Math.floor(random() * (most - least));
}

/** One of some items. */
export function oneOf<Item>(random: () => number, items: readonly [Item, ...Item[]]): Item {
  return items[between(random, 0, items.length)] ?? items[0];
}
