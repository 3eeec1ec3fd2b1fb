import { visibleText } from '../../cleaning/visible-text.ts';
import type { MessageToCondense } from './message-to-condense.ts';

/** Longest tool name that a log line repeats. */
const nameCharacters = 64;

/** The debug line of a condensed message: `tool: Read: 5120 chars → 430 chars (91.6% reduction)`. */
export function reductionLine({ type, name, text }: MessageToCondense, condensed: string): string {
  // A tool's name may come from a model or a server: one line, and not a long one.
  const label = visibleText(name ?? '')
    .trim()
    .replaceAll(/\s+/g, ' ')
    .slice(0, nameCharacters);
  const reduction = (100 * (1 - condensed.length / text.length)).toFixed(1);
  return `${type}: ${label === '' ? '' : `${label}: `}${text.length} chars → ${condensed.length} chars (${reduction}% reduction)`;
}
