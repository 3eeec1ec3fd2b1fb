import { visibleText } from '../cleaning/visible-text.ts';

/**
 * JSON for an envelope: strings hold no angle or square bracket, so that none can close it or forge a tag, and
 * nothing invisible; the brackets of arrays stay.
 */
export function escapedJson(value: unknown): string {
  if (typeof value === 'string') return escapedString(value);
  if (Array.isArray(value)) return `[${value.map(escapedJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return `{${entries.map(([key, entry]) => `${escapedString(key)}:${escapedJson(entry)}`).join(',')}}`;
}

function escapedString(text: string): string {
  return JSON.stringify(visibleText(text)).replaceAll(
    /[<>[\]\u2028\u2029\u007f-\u009f]/g,
    escapeCharacter,
  );
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
