import { createTextCounter } from './create-text-counter.ts';

/** Counts tokens of plain text. */
export interface TextCounter {
  /**
   * Tokens of the text under `o200k_base`, OpenAI's current encoding. Exact except where a run of
   * more than 128 letters, symbols or spaces had to be cut; linear in the length for any text.
   */
  readonly count: (text: string) => number;
  /**
   * Lets the tokenizer remember pieces of text while work goes on that is done in slices: twice as fast
   * for prose, ten times for text that repeats. They are forgotten when what it returns is called.
   */
  readonly hold: () => () => void;
  /** Whether `count` counts, or only estimates. */
  readonly isExact: boolean;
}

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
