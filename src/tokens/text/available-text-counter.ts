import { estimateTextTokens } from './estimate-text-tokens.ts';
import { loadTextCounter, type TextCounter } from './load-text-counter.ts';

const estimates: TextCounter = {
  count: estimateTextTokens,
  hold: () => () => {},
  isExact: false,
};

/**
 * The tokenizer, or estimates where its tables cannot be loaded: a bundle may leave out their megabyte.
 * What providers report corrects estimates from the second call on.
 */
export async function availableTextCounter(): Promise<TextCounter> {
  try {
    return await loadTextCounter();
  } catch {
    return estimates;
  }
}
