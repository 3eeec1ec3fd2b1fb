import { countText, type TextReading } from '../../../tokens/text/count-text.ts';

/** Tokens between two items of a list. */
const listSeparatorTokens = 2;

/** The first texts up to the one that does not fit: those behind it matter less. */
export async function firstWithin(
  texts: readonly string[],
  maxTokens: number,
  { count, slices }: TextReading,
): Promise<readonly string[]> {
  const taken: string[] = [];
  let left = maxTokens;
  for (const text of texts) {
    await slices.pause();
    left -= (await countText(text, count, slices)) + listSeparatorTokens;
    if (left < 0) break;
    taken.push(text);
  }
  return taken;
}
