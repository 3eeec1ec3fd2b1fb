import { availableTextCounter } from '../tokens/text/load-text-counter.ts';

let isWarmed = false;

/** Loads the tokenizer once a process, so that no later call waits 200 ms for its tables. */
export function warmTokenizer(): void {
  if (isWarmed) return;
  isWarmed = true;
  // Never rejects: without the tables, sizes are estimated.
  void availableTextCounter();
}
