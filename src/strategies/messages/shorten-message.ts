import { visibleText } from '../../cleaning/visible-text.ts';
import { splitsSurrogatePair } from '../../util/strings/splits-surrogate-pair.ts';

/** A message, or one result of a tool message, that is to be said in fewer words. */
export interface MessageToCondense {
  readonly type: 'tool' | 'user' | 'agent';
  /** Name of the tool. */
  readonly name?: string | undefined;
  /** Input of the tool's call, as text. */
  readonly input?: string | undefined;
  /** Redacted like everything a summariser reads. */
  readonly text: string;
}

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

/** The marker that takes the place of a text. */
export function omittedText(text: string): string {
  return `[${text.length} characters omitted]`;
}

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
