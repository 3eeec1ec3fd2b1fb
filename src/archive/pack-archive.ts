import { type Redact, redactionDoor } from '../cleaning/redaction-door.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { toHex } from '../util/digest.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { isObject } from '../util/is-object.ts';
import { toBase64, fromBase64, utf8Encoder } from '../util/strings.ts';

/** What is kept of the messages that summaries stand for. */
export interface ArchiveOptions {
  /**
   * Bytes of the largest file that is kept as it is. Of a larger one the archive says its type, size and
   * SHA-256. 0: of every file. Minimum: 0.
   * @default 1_048_576 (1 MiB)
   */
  readonly maxFileBytes?: number | undefined;
}

/** How originals are kept. */
export interface ArchivePolicy extends ArchiveOptions {
  readonly redact: Redact | undefined;
}

/** A message as it is archived. */
export interface ArchivedMessage {
  readonly message: Message;
  readonly omitted: readonly Omit<OmittedFile, 'message'>[];
}

/** A file of which an archive says no more than what it was. */
export interface OmittedFile {
  /** Index of its message among those that are returned. */
  readonly message: number;
  readonly mediaType: string;
  readonly bytes: number;
  /** SHA-256 of its bytes, as 64 hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Characters of a value. Sealed they are half a million, which every store and its clients take in one
 * request.
 */
const partCharacters = 384 * 1024;

/** Packs messages: what `redact` leaves of them, without their large files, compressed, in parts that a store takes. */
export async function packArchive(
  messages: readonly Message[],
  policy: ArchivePolicy,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const message of messages) texts.push(await archivedText(message, policy));
  const base64 = toBase64(await compressText(`[${texts.join(',')}]`));
  return Array.from({ length: Math.ceil(base64.length / partCharacters) }, (_, part) =>
    base64.slice(part * partCharacters, (part + 1) * partCharacters),
  );
}

/** Unpacks messages: none where anything of them is damaged, and `undefined` for one that could not be kept. */
export async function unpackArchive(
  base64: string,
): Promise<readonly (ArchivedMessage | undefined)[]> {
  try {
    const read = decodeValue(JSON.parse(await decompressText(fromBase64(base64))));
    return Array.isArray(read)
      ? read.map((item: unknown) => (isArchived(item) ? item : undefined))
      : [];
  } catch {
    return [];
  }
}

/** What is nested beyond the stack is missing. */
function isArchived(item: unknown): item is ArchivedMessage {
  return isObject(item) && isObject(item['message']) && Array.isArray(item['omitted']);
}

type OmittedBytes = ArchivedMessage['omitted'][number];

/** Bytes of a file that is kept as it is. */
const defaultMaxFileBytes = 1024 * 1024;

/** Fields of a part that say what it is and belongs to. */
const structural: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'mediaType']);

/** Those of the data of a file that may say something: its bytes and where a provider has it stay. */
const spoken: ReadonlySet<string> = new Set(['text', 'url']);

/**
 * A message as it is archived: as `redact` leaves it, with a text in the place of each file that is larger than is kept.
 * Redacted is every text of it, ids and names of tools, the names of fields in what tools were given and returned, and
 * addresses; not the bytes of files. What is nested beyond the stack, or in a circle, is missing.
 */
// oxlint-disable-next-line max-lines-per-function -- what its closures share is what was omitted
async function archivedText(
  message: Message,
  { maxFileBytes = defaultMaxFileBytes, redact }: ArchivePolicy,
): Promise<string> {
  const omitted: OmittedBytes[] = [];
  const clean = redact && exactDoor(redact);
  const replaced = async (value: unknown): Promise<unknown> => {
    const file = await largeFile(value, maxFileBytes);
    if (file === undefined) return undefined;
    omitted.push(file);
    const text = `[a file of the type ${JSON.stringify(file.mediaType.slice(0, 100))}, ${file.bytes} bytes, SHA-256 ${file.sha256}: its bytes were not kept, as it is larger than ${maxFileBytes}]`;
    return encodeValue({ type: 'text', text }, clean);
  };
  // A message, its parts, and what its tools have answered.
  const encoded = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(encoded));
    if (!isObject(value)) return encodeValue(value, clean);
    const replacement = await replaced(value);
    if (replacement !== undefined) return replacement;
    const fieldOf = async (name: string, field: unknown): Promise<unknown> => {
      if (name === 'content' || name === 'output') return encoded(field);
      if (structural.has(name)) return encodeValue(field);
      if (name === 'data' && isObject(field) && typeof field['type'] === 'string')
        return encodedFields(
          Object.entries(field).map(([key, each]) => [
            key,
            encodeValue(each, spoken.has(key) ? clean : undefined),
          ]),
        );
      if (name === 'data') return encodeValue(field);
      if (name !== 'value' || !Array.isArray(field)) return encodeValue(field, clean);
      const isParts = value['type'] === 'content';
      const each = async (item: unknown): Promise<unknown> =>
        isParts ? encoded(item) : ((await replaced(item)) ?? encodeValue(item, clean));
      return Promise.all(Array.from(field, each));
    };
    const fields = Object.entries(value).map(
      async ([name, field]) => [name, await fieldOf(name, field)] as const,
    );
    return encodedFields(await Promise.all(fields));
  };
  try {
    return JSON.stringify({ message: await encoded(message), omitted });
  } catch {
    return 'null';
  }
}

/** What `redact` leaves alone stays exact to the character; it sees no secret that invisible characters split. */
function exactDoor(redact: Redact): (text: string) => string {
  const door = redactionDoor(redact);
  return (text) => {
    const redacted = door(text);
    return redacted === visibleText(text) ? text : redacted;
  };
}

/** What is said of a part that is a file which is larger than is kept; what should be base64 and is none counts by its characters. */
async function largeFile(part: unknown, maxFileBytes: number): Promise<OmittedBytes | undefined> {
  const { data: file, mediaType } = isObject(part) ? part : {};
  const { type, data, url } = isObject(file) ? file : {};
  const given =
    type === 'data' ? data : type === 'url' && url instanceof URL ? url.href : undefined;
  let bytes = given instanceof Uint8Array ? new Uint8Array(given) : new Uint8Array();
  if (typeof given === 'string' && (type === 'data' || given.startsWith('data:'))) {
    const text = type === 'data' ? given : given.slice(given.indexOf(',') + 1);
    if ((text.length * 3) / 4 <= maxFileBytes) return undefined;
    try {
      bytes = fromBase64(text);
    } catch {
      bytes = utf8Encoder.encode(text);
    }
  }
  if (bytes.length <= maxFileBytes) return undefined;
  const sha256 = toHex(await crypto.subtle.digest('SHA-256', bytes));
  return { mediaType: String(mediaType), bytes: bytes.length, sha256 };
}

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
function encodedFields(fields: readonly (readonly [string, unknown])[]): unknown {
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
