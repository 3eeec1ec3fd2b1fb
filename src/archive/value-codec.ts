import { isObject } from '../util/is-object.ts';
import { toBase64, fromBase64, utf8Encoder } from '../util/strings.ts';

/** Marks what JSON has no form for. An object that has such a field itself is written as a list of fields. */
const mark = '$kind';

const asItIs = (text: string): string => text;

/**
 * Writes a value as one that JSON can say: what it cannot (undefined fields, bytes, dates, addresses, big
 * integers, NaN and its like) is marked, so that {@link decodeValue} gives back the same. Functions,
 * symbols and the classes of others become what `JSON.stringify` makes of them.
 *
 * @param clean - Applied to every text: strings, names of fields, addresses, and numbers, as one may be a secret too.
 */
export function encodeValue(value: unknown, clean: (text: string) => string = asItIs): unknown {
  if (typeof value === 'string') return clean(value);
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    const text = Object.is(value, -0) ? '-0' : String(value);
    if (clean(text) !== text) return clean(text);
    return Number.isFinite(value) && !Object.is(value, -0) ? value : marked('number', text);
  }
  if (typeof value === 'bigint') return marked('bigint', String(value));
  if (typeof value !== 'object') return marked('undefined', '');
  // Not map: it passes over the holes of a list.
  if (Array.isArray(value)) return Array.from(value, (each: unknown) => encodeValue(each, clean));
  if (value instanceof Uint8Array) return marked('bytes', toBase64(value));
  // The time of a date that is none becomes null.
  if (value instanceof Date) return marked('date', value.getTime());
  if (value instanceof URL) return marked('url', addressOf(value, clean));
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return encodeValue(value.toJSON(), clean);
  return encodedFields(
    Object.entries(value).map(([name, each]) => [clean(name), encodeValue(each, clean)]),
  );
}

/** Puts fields together whose values have been encoded. */
export function encodedFields(fields: readonly (readonly [string, unknown])[]): unknown {
  const isMarked = fields.some(([name]) => name === mark);
  return isMarked ? marked('object', fields) : Object.fromEntries(fields);
}

/** An address that is none any more says nothing. */
function addressOf({ href, protocol }: URL, clean: (text: string) => string): string {
  const cleaned = protocol === 'data:' ? href : clean(href);
  return URL.canParse(cleaned) ? cleaned : 'about:blank';
}

function marked(kind: string, value: unknown): object {
  return { [mark]: kind, value };
}

const readers = new Map<unknown, (content: unknown) => unknown>([
  ['number', Number],
  ['bigint', (content) => BigInt(String(content))],
  ['bytes', (content) => fromBase64(String(content))],
  ['date', (content) => new Date(content === null ? Number.NaN : Number(content))],
  ['url', (content) => new URL(String(content))],
  ['object', (content) => decodedFields(Array.isArray(content) ? content : [])],
]);

/** Reads what {@link encodeValue} wrote. */
export function decodeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeValue);
  if (!isObject(value)) return value;
  if (!Object.hasOwn(value, mark)) return decodedFields(Object.entries(value));
  return readers.get(value[mark])?.(value['value']);
}

function decodedFields(fields: readonly (readonly [string, unknown])[]): object {
  return Object.fromEntries(fields.map(([name, each]) => [name, decodeValue(each)]));
}

/** Compresses a text. Runs wherever there are the Compression Streams of the WHATWG. */
export async function compressText(text: string): Promise<Uint8Array<ArrayBuffer>> {
  return through(utf8Encoder.encode(text), new CompressionStream('deflate-raw'));
}

/**
 * Reads a compressed text.
 *
 * @throws {TypeError} when it is none.
 */
export async function decompressText(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const plain = await through(bytes, new DecompressionStream('deflate-raw'));
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain);
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(bytes).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}
