import type { JSONValue } from 'ai';
import { toBase64 } from './strings.ts';

/** A file in a JSON value: its bytes, or their base64. */
export interface ValueFile {
  /** By its address or first bytes; empty if unknown. */
  readonly mediaType: string;
  readonly data: Uint8Array | string;
}

/** Characters of the shortest base64 that is taken for a file: 3 kB. */
const leastBase64 = 4096;

/** First characters of files in base64. */
const beginnings: readonly (readonly [start: string, mediaType: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGODlh', 'image/gif'],
  ['JVBERi0', 'application/pdf'],
];

function typeOf(start: string): string {
  return beginnings.find(([each]) => start.startsWith(each))?.[1] ?? '';
}

/** Finds a file in a text that is nothing but base64, or the data URL of it. */
function fileOfText(text: string): ValueFile | undefined {
  if (text.length < leastBase64) return undefined;
  const address = /^data:([^;,]{0,100})[^,]{0,100};base64,/.exec(text);
  const data = text.slice(address?.[0].length ?? 0);
  if (!/^[\w+/-]+={0,2}$/.test(data)) return undefined;
  if (address !== null) return { mediaType: address[1] ?? '', data };
  // A word drawn out has no digits, and a long number no letters.
  const start = data.slice(0, leastBase64);
  const isMixed = [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(start));
  return isMixed ? { mediaType: typeOf(data), data } : undefined;
}

/** Names of an object that may be bytes, if their values span the range of a byte; the names that are bytes in any case. */
const [leastNames, manyNames] = [64, 4096];

/**
 * Finds the bytes of a value that JSON writes as a number each, or has so written: those of a typed array, what a `Buffer`
 * writes (`{ type: 'Buffer', data: [...] }`), and what a `Uint8Array` writes (`{ 0: 137, 1: 80, ... }`). A column of a
 * table looks like the last one, but its values hardly span the whole range.
 */
function fileOfObject(value: object): ValueFile | undefined {
  const bytes = bytesOf(value);
  return bytes && { mediaType: typeOf(toBase64(bytes.subarray(0, 12))), data: bytes };
}

function bytesOf(value: object): Uint8Array | undefined {
  if (ArrayBuffer.isView(value)) {
    if (value instanceof Uint8Array) return value;
    return value instanceof Uint8ClampedArray ? new Uint8Array(value) : undefined;
  }
  if (Array.isArray(value)) return undefined;
  if (Reflect.get(value, 'type') === 'Buffer') {
    const data: unknown = Reflect.get(value, 'data');
    const isWhole = Array.isArray(data) && Object.keys(value).length === 2;
    return isWhole ? readBytes(data, data.length) : undefined;
  }
  // Most objects have no such name.
  if (Reflect.get(value, leastNames - 1) === undefined) return undefined;
  const names = Object.keys(value);
  // Numbers come first among names, in order.
  if (names.at(-1) !== String(names.length - 1)) return undefined;
  const bytes = readBytes(value, names.length);
  if (bytes === undefined || bytes.length >= manyNames) return bytes;
  return bytes.some((byte) => byte < 32) && bytes.some((byte) => byte >= 224) ? bytes : undefined;
}

/** Reads so many elements; `undefined` if one is no byte. */
function readBytes(list: object, length: number): Uint8Array | undefined {
  const bytes = new Uint8Array(length);
  for (let index = 0; index < length; index += 1) {
    const byte: unknown = Reflect.get(list, index);
    if (typeof byte !== 'number' || !(byte >= 0 && byte <= 255 && Number.isInteger(byte)))
      return undefined;
    bytes[index] = byte;
  }
  return bytes;
}

/** Finds the file that a value is. */
export function fileOf(value: unknown): ValueFile | undefined {
  if (typeof value === 'string') return fileOfText(value);
  return typeof value === 'object' && value !== null ? fileOfObject(value) : undefined;
}

/** Names the size of a file for a reader of texts. */
export function sizeOfFile({ data }: ValueFile): string {
  return `${typeof data === 'string' ? Math.floor((data.length * 3) / 4) : data.length} bytes`;
}

/** Gives the text that takes the place of a file; `undefined` if it stays. */
export type FileChange = (file: ValueFile) => string | undefined;

/** Objects after which a value is left as it is: shared references could grow for ever. */
const maxObjects = 100_000;
const maxDepth = 16;

function isList(value: JSONValue): value is readonly JSONValue[] {
  return Array.isArray(value);
}

/** Values without files: each is read once, not in every step of a loop. */
const plainValues = new WeakSet<object>();

/**
 * Puts texts in place of the files of a JSON value; returns the same value if all stay. Nesting beyond 16 levels is left
 * as it is.
 */
export function changeFiles(root: JSONValue, change: FileChange): JSONValue {
  // Most values are texts.
  if (typeof root === 'string') {
    const file = fileOf(root);
    return (file && change(file)) ?? root;
  }
  if (plainValues.has(Object(root))) return root;
  let [objects, files] = [0, 0];
  const isRead = (value: object, depth: number): boolean =>
    depth <= maxDepth && (objects += 1) <= maxObjects && !('toJSON' in value);
  const changes = (value: unknown, depth: number): boolean => {
    const file = fileOf(value);
    if (file !== undefined) {
      files += 1;
      return change(file) !== undefined;
    }
    if (typeof value !== 'object' || value === null || !isRead(value, depth)) return false;
    if (!Array.isArray(value)) return Object.values(value).some((each) => changes(each, depth + 1));
    // By index: a method of a list is looked up in each, for lists in lists more than they hold.
    for (let index = 0, { length } = value; index < length; index += 1)
      if (changes(value[index], depth + 1)) return true;
    return false;
  };
  const rewrite = (value: JSONValue, depth: number): JSONValue => {
    const file = fileOf(value);
    if (file !== undefined) return change(file) ?? value;
    if (typeof value !== 'object' || value === null || !isRead(value, depth)) return value;
    if (isList(value)) return value.map((each) => rewrite(each, depth + 1));
    const fields = Object.entries(value).flatMap(([name, each]) =>
      each === undefined ? [] : [[name, rewrite(each, depth + 1)] as const],
    );
    return Object.fromEntries(fields);
  };
  if (changes(root, 0)) return rewrite(root, 0);
  if (files === 0) plainValues.add(Object(root));
  return root;
}

/** Compresses bytes (RFC 1951), wherever there are the Compression Streams of the WHATWG. */
export async function deflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new CompressionStream('deflate-raw'));
}

/** Reads what {@link deflate} wrote. */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return through(bytes, new DecompressionStream('deflate-raw'));
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> {
  const body = new Response(bytes).body?.pipeThrough(stream);
  return new Uint8Array(await new Response(body).arrayBuffer());
}
