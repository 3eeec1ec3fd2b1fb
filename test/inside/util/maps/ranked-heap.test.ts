import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rankedHeap, type HeapItem } from '../../../../src/util/maps/ranked-heap.ts';

interface Item extends HeapItem {
  rank: number;
}

describe('rankedHeap', () => {
  it('has the highest rank in front, whatever is placed, ranked anew and removed', () => {
    const operations = fc.array(
      fc.record({
        kind: fc.constantFrom('place', 'remove'),
        index: fc.nat(9),
        rank: fc.integer(),
      }),
      { maxLength: 80 },
    );
    fc.assert(
      fc.property(operations, (list) => {
        const heap = rankedHeap<Item>((item, other) => item.rank > other.rank);
        const items = Array.from({ length: 10 }, (): Item => ({ rank: 0, place: -1 }));
        const held = new Set<Item>();
        for (const { kind, index, rank } of list) {
          const item = items[index];
          if (item === undefined) continue;
          if (kind === 'place') {
            item.rank = rank;
            heap.place(item);
            held.add(item);
          } else {
            heap.remove(item);
            held.delete(item);
          }
          const ranks = [...held].map((each) => each.rank);
          expect(heap.first()?.rank).toBe(held.size === 0 ? undefined : Math.max(...ranks));
        }
      }),
    );
  });

  it('compares a few times for each doubling of the items', () => {
    let comparisons = 0;
    const heap = rankedHeap<Item>((item, other) => {
      comparisons += 1;
      return item.rank > other.rank;
    });
    const count = 2 ** 15;
    const items = Array.from({ length: count }, (_, rank): Item => ({ rank, place: -1 }));
    for (const item of items) heap.place(item);
    for (const item of items) {
      item.rank = -item.rank;
      heap.place(item);
    }
    for (const item of items) heap.remove(item);
    expect(heap.first()).toBeUndefined();
    // Three operations, each a way of 15 steps with two comparisons a step at most.
    expect(comparisons).toBeLessThan(count * 3 * 2 * 16);
  });
});
