import { runAtOnce } from '../util/async/run-steps.ts';
import { isObject } from '../util/is-object.ts';
import { base64Steps, fromBase64 } from '../util/strings/base64.ts';
import { utf8Encoder } from '../util/strings/utf8-length.ts';

/** Marks what JSON has no form for. An object that has such a field itself is written as a list of fields. */
const mark = '$kind';

/**
 * Writes a value as one that JSON can say: what it cannot (undefined fields, bytes, dates, addresses, big
 * integers, NaN and its like) is marked, so that {@link decodeValue} gives back the same. Functions,
 * symbols and the classes of others become what `JSON.stringify` makes of them.
 */
export function encodeValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value;
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : marked('number', value === 0 ? '-0' : String(value));
    case 'bigint':
      return marked('bigint', String(value));
    case 'object':
      return value === null ? null : encodeObject(value);
    default:
      return marked('undefined', '');
  }
}

function encodeObject(value: object): unknown {
  // Not map: it passes over the holes of a list.
  if (Array.isArray(value)) return Array.from(value, encodeValue);
  if (value instanceof Uint8Array) return marked('bytes', runAtOnce(base64Steps(value)));
  // The time of a date that is none becomes null.
  if (value instanceof Date) return marked('date', value.getTime());
  if (value instanceof URL) return marked('url', value.href);
  if ('toJSON' in value && typeof value.toJSON === 'function') return encodeValue(value.toJSON());
  const fields = Object.entries(value).map(([name, each]) => [name, encodeValue(each)]);
  return Object.hasOwn(value, mark) ? marked('object', fields) : Object.fromEntries(fields);
}

function marked(kind: string, value: unknown): object {
  return { [mark]: kind, value };
}

/** Reads what {@link encodeValue} wrote. */
export function decodeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeValue);
  if (!isObject(value)) return value;
  if (!Object.hasOwn(value, mark))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, decodeValue(each)]),
    );
  const { [mark]: kind, value: content } = value;
  switch (kind) {
    case 'number':
      return Number(content);
    case 'bigint':
      return BigInt(String(content));
    case 'bytes':
      return fromBase64(String(content));
    case 'date':
      return new Date(content === null ? Number.NaN : Number(content));
    case 'url':
      return new URL(String(content));
    case 'object':
      return Object.fromEntries(
        (Array.isArray(content) ? content : []).map(([name, each]) => [name, decodeValue(each)]),
      );
    default:
      return undefined;
  }
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
