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

  const isBefore = (left: number, right: number): boolean => {
    const one = heap[left];
    const other = heap[right];
    if (one === undefined || other === undefined) return one !== undefined;
    return one.priority === other.priority
      ? one.order < other.order
      : one.priority > other.priority;
  };
  const swap = (left: number, right: number): void => {
    const one = heap[left];
    const other = heap[right];
    if (one === undefined || other === undefined) return;
    heap[left] = other;
    heap[right] = one;
  };
  const rise = (position: number): void => {
    for (let child = position; child > 0;) {
      const parent = (child - 1) >> 1;
      if (!isBefore(child, parent)) return;
      swap(child, parent);
      child = parent;
    }
  };
  const sink = (): void => {
    for (let parent = 0; ;) {
      const child = 2 * parent + 1;
      const heavier = isBefore(child + 1, child) ? child + 1 : child;
      if (!isBefore(heavier, parent)) return;
      swap(heavier, parent);
      parent = heavier;
    }
  };

  return {
    add: (item, priority) => {
      heap.push({ item, priority, order: added });
      added += 1;
      rise(heap.length - 1);
    },
    take: () => {
      const [first] = heap;
      const last = heap.pop();
      if (first !== undefined && last !== undefined && heap.length > 0) {
        heap[0] = last;
        sink();
      }
      return first;
    },
  };
}
