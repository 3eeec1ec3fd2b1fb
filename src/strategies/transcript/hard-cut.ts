import { splitsSurrogatePair } from '../../util/splits-surrogate-pair.ts';

const ellipsis = '...';

/**
 * Cuts a text to at most `maxChars` UTF-16 characters, ending in `...`; a text within the limit comes
 * back unchanged. A surrogate pair is never split.
 */
export function hardCut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = Math.max(maxChars - ellipsis.length, 0);
  const head = text.slice(0, splitsSurrogatePair(text, end) ? end - 1 : end);
  return (head + ellipsis).slice(0, maxChars);
}
