import type { SentTexts } from './sent-texts.ts';

/** What texts come to without a tokenizer. Tokens are of o200k. */
export interface TextSize extends Pick<SentTexts, 'frames' | 'files'> {
  /** Tokens they cannot exceed: one takes a byte of UTF-8 at the least. About four times as many for English. */
  readonly bound: number;
  readonly characters: number;
  /** Stands for their content, where nothing but a size is looked up by it. */
  readonly key: number;
}

/** Adds up a figure of several sizes. */
export function sumOf(sizes: readonly TextSize[], figure: Exclude<keyof TextSize, 'key'>): number {
  return sizes.reduce((sum, size) => sum + size[figure], 0);
}
