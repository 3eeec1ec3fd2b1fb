/** What a {@link RankedHeap} can hold: the heap notes there where it is, -1 for nowhere. */
export interface HeapItem {
  place: number;
}

/** Items of which the one that goes first is at hand; every operation takes O(log items). */
export interface RankedHeap<Item extends HeapItem> {
  readonly first: () => Item | undefined;
  /** Takes an item in, or gives one that is in it the place that its new rank asks for. */
  readonly place: (item: Item) => void;
  readonly remove: (item: Item) => void;
}

/** Makes a heap. `goesBefore` may ask for what changes, as long as {@link RankedHeap.place} follows. */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is its state
export function rankedHeap<Item extends HeapItem>(
  goesBefore: (item: Item, other: Item) => boolean,
): RankedHeap<Item> {
  const items: Item[] = [];
  const putAt = (item: Item, place: number): void => {
    items[place] = item;
    item.place = place;
  };
  const exchange = (item: Item, other: Item): void => {
    const { place } = item;
    putAt(item, other.place);
    putAt(other, place);
  };
  const rise = (item: Item): void => {
    for (;;) {
      const parent = items[(item.place - 1) >> 1];
      if (parent === undefined || !goesBefore(item, parent)) return;
      exchange(item, parent);
    }
  };
  const sink = (item: Item): void => {
    for (;;) {
      const left = items[2 * item.place + 1];
      const right = items[2 * item.place + 2];
      if (left === undefined) return;
      const child = right !== undefined && goesBefore(right, left) ? right : left;
      if (!goesBefore(child, item)) return;
      exchange(item, child);
    }
  };
  const settle = (item: Item): void => {
    rise(item);
    sink(item);
  };

  return {
    first: () => items[0],
    place: (item) => {
      if (item.place < 0) putAt(item, items.length);
      settle(item);
    },
    remove: (item) => {
      if (item.place < 0) return;
      const last = items.pop();
      if (last !== undefined && last !== item) {
        putAt(last, item.place);
        settle(last);
      }
      item.place = -1;
    },
  };
}
