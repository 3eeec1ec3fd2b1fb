import { parseJson } from '../json/parse-json.ts';

/** Begins a text that stands as it is. */
const plain = '~';

/** Begins a text that stands as JSON, all of whose characters can be written as UTF-8. */
const escaped = '!';

/**
 * A form of a string that every database gives back as it was: no NUL, which Postgres cannot hold; no lone
 * surrogate, which UTF-8 cannot; and no JSON, which the client of Upstash would parse.
 */
export function toStoredText(value: string): string {
  const isPlain = value.isWellFormed() && !value.includes('\0');
  return isPlain ? `${plain}${value}` : `${escaped}${JSON.stringify(value)}`;
}

/** The string that stands in a form of {@link toStoredText}; of anything else, what it is as text. */
export function fromStoredText(stored: unknown): string {
  if (typeof stored !== 'string') return JSON.stringify(stored);
  if (stored.startsWith(plain)) return stored.slice(plain.length);
  const value = stored.startsWith(escaped) ? parseJson(stored.slice(escaped.length)) : undefined;
  return typeof value === 'string' ? value : stored;
}
