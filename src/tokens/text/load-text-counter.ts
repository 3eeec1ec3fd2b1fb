import { createTextCounter, type TextCounter } from './create-text-counter.ts';
import { estimateTextTokens } from './estimate-text-tokens.ts';

let loading: Promise<TextCounter> | undefined;

/**
 * Loads the tokenizer on first use and keeps it: about 200 ms and 60 MB, once per process. A failed
 * load rejects, and the next call tries again.
 */
export function loadTextCounter(): Promise<TextCounter> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<TextCounter> {
  const [{ GptEncoding }, { default: ranks }] = await Promise.all([
    import('gpt-tokenizer/GptEncoding'),
    import('gpt-tokenizer/bpeRanks/o200k_base'),
  ]);
  // Bundlers put an empty module in the place of one that is to be left out.
  if (!Array.isArray(ranks)) throw new Error("The tokenizer's tables are not part of this bundle.");
  // An instance of our own: clearing its cache does not slow an application that uses the package too.
  return createTextCounter(GptEncoding.getEncodingApi('o200k_base', () => ranks));
}

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
