/** A queue that gives the item of the highest priority first, of equal ones the one added first. */
export interface PriorityQueue<Item> {
  readonly add: (item: Item, priority: number) => void;
  readonly take: () => { readonly item: Item; readonly priority: number } | undefined;
}

interface QueueEntry<Item> {
  readonly item: Item;
  readonly priority: number;
  readonly order: number;
}

/** Creates a binary heap. */
export function priorityQueue<Item>(): PriorityQueue<Item> {
  const heap: QueueEntry<Item>[] = [];
  let added = 0;
  return {
    add: (item, priority) => {
      rise(heap, { item, priority, order: added });
      added += 1;
    },
    take: () => {
      const [first] = heap;
      const last = heap.pop();
      if (last !== undefined && heap.length > 0) sink(heap, last);
      return first;
    },
  };
}

/** Puts an entry in at the end and moves it up to where it belongs. */
function rise<Item>(heap: QueueEntry<Item>[], entry: QueueEntry<Item>): void {
  let place = heap.length;
  while (place > 0) {
    const parent = (place - 1) >> 1;
    const above = heap[parent];
    if (above === undefined || !isBefore(entry, above)) break;
    heap[place] = above;
    place = parent;
  }
  heap[place] = entry;
}

/** Puts an entry in the place of the first and moves it down to where it belongs. */
function sink<Item>(heap: QueueEntry<Item>[], entry: QueueEntry<Item>): void {
  let place = 0;
  for (;;) {
    const left = 2 * place + 1;
    const child = isBefore(heap[left + 1], heap[left]) ? left + 1 : left;
    const below = heap[child];
    if (below === undefined || !isBefore(below, entry)) break;
    heap[place] = below;
    place = child;
  }
  heap[place] = entry;
}

function isBefore<Item>(
  one: QueueEntry<Item> | undefined,
  other: QueueEntry<Item> | undefined,
): boolean {
  if (one === undefined || other === undefined) return one !== undefined;
  return one.priority === other.priority ? one.order < other.order : one.priority > other.priority;
}
