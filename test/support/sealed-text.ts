import { inflateRawSync } from 'node:zlib';

/** Whether a sealed text tells of no conversation: of an erasure at most. */
export function saysNothing(text: string): boolean {
  if (!text.startsWith('{"epoch"')) return text === '';
  const said: Readonly<Record<string, unknown>> = JSON.parse(text);
  const { epoch: _, left, ...lists } = said;
  return (
    Object.values(lists).every((list) => Array.isArray(list) && list.length === 0) &&
    JSON.stringify(left) === '{"archives":[],"trees":[]}'
  );
}

/** What a sealed value says to whoever can read the store: all of it, unless it is encrypted. */
export function sealedText(value: string): string {
  const [, , form, , payload = '', packing] = value.split(':');
  if (form !== 'plain') return '';
  const bytes = Buffer.from(payload, 'base64');
  return (packing === 'deflate' ? inflateRawSync(bytes) : bytes).toString();
}
