import type { JSONValue } from 'ai';
import type { RedactionDoor } from './redaction-door.ts';

/** UTF-16 characters of JSON, and levels of it, that a record can hold of the application's own facts. */
const maxCharacters = 8000;
const maxLevels = 32;

/**
 * Facts of the application as a record may hold them: JSON, every string and key through the door.
 *
 * @param mostCharacters - What there is room for.
 * @returns `undefined` for what is no JSON, or more of it than a record holds.
 */
export function cleanDetails(
  details: unknown,
  clean: RedactionDoor,
  mostCharacters: number = maxCharacters,
): JSONValue | undefined {
  try {
    if (!isWithin(details, maxLevels)) return undefined;
    const text = JSON.stringify(details);
    if (text.length > Math.min(mostCharacters, maxCharacters)) return undefined;
    return JSON.parse(text, (_, value: unknown) => cleanValue(value, clean));
  } catch {
    // A cycle, a BigInt, a `toJSON` that throws, nothing at all.
    return undefined;
  }
}

function isWithin(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isWithin(inner, levels - 1));
}

function cleanValue(value: unknown, clean: RedactionDoor): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [clean(key), inner]));
}
