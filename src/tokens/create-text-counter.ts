import { cutLongRuns } from './cut-long-runs.ts';
import type { TextCounter } from './load-text-counter.ts';
import { textPieces } from './text-pieces.ts';

/** The part of a tokenizer that counting needs. */
export interface TextEncoding {
  readonly countTokens: (
    text: string,
    options: { readonly disallowedSpecial: Set<string> },
  ) => number;
  /** Forgets the pieces of text that the tokenizer keeps to be faster on repetitions. */
  readonly clearMergeCache: () => void;
}

/**
 * Makes a counter that is safe on any text: long runs are cut, what looks like a special token
 * (`<|endoftext|>`) is ordinary text, and no text is retained after the current task.
 */
export function createTextCounter(encoding: TextEncoding): TextCounter {
  const ordinaryText = { disallowedSpecial: new Set<string>() };
  let clearing = false;
  const clear = (): void => {
    clearing = false;
    encoding.clearMergeCache();
  };
  return {
    isExact: true,
    count: (text) => {
      let total = 0;
      for (const piece of textPieces(text)) {
        cutLongRuns(piece, (run) => {
          total += encoding.countTokens(run, ordinaryText);
        });
      }
      // Once per task, not per text: the messages of one prompt share the cache (a third faster).
      if (!clearing && text !== '') {
        clearing = true;
        queueMicrotask(clear);
      }
      return total;
    },
  };
}
