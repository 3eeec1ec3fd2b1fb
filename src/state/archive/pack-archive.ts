import { type Redact, makeRedactor } from '../../prompt/cleaning/redactor.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';
import { deflate, inflate } from '../../foundations/util/binary.ts';
import { toHex } from '../../foundations/util/digest.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { cleanScalar } from '../../foundations/util/json.ts';
import { fromBase64, toBase64, utf8Encoder } from '../../foundations/util/strings.ts';

/** The part of the summarized messages that an archive keeps. */
export interface ArchiveOptions {
  /**
   * Bytes of the largest file that is kept as it is. For a larger file the archive keeps its type, size and SHA-256.
   * 0: for every file, as if the messages of one summary take more than 4 MB compressed, or more than the store
   * accepts. Minimum: 0.
   * @default 1_048_576 (1 MiB)
   */
  readonly maxFileBytes?: number | undefined;
}

/** How originals are kept. */
export interface ArchivePolicy extends ArchiveOptions {
  readonly redact: Redact | undefined;
}

/** Bytes of a file that is kept as it is. */
const defaultMaxFileBytes = 1024 * 1024;

/**
 * Packs messages: what `redact` leaves of them, without their large files; without any where all of it is too large, and
 * then without the longest messages too.
 *
 * @param most - Characters of what is packed.
 */
export async function packArchive(
  messages: readonly Message[],
  policy: ArchivePolicy,
  most: number,
): Promise<string> {
  const { maxFileBytes = defaultMaxFileBytes, redact } = policy;
  const clean = redact ? exactDoor(redact) : asItIs;
  const archived = messages.map((message) =>
    // Values that are nested beyond the stack, or in a circle, are missing.
    archivedText(message, maxFileBytes, clean).catch(() => 'null'),
  );
  let texts = await Promise.all(archived);
  for (;;) {
    const packed = await packText(`[${texts.join(',')}]`);
    if (packed.length <= most) return packed;
    if (maxFileBytes > 0) return packArchive(messages, { ...policy, maxFileBytes: 0 }, most);
    const longest = texts.reduce((longer, { length }) => Math.max(longer, length), 0);
    texts = texts.map((text) => (text.length > longest / 2 ? 'null' : text));
  }
}

/** Unpacks messages: `undefined` for one that could not be kept. */
export async function unpackArchive(packed: string): Promise<readonly (Message | undefined)[]> {
  const read = await unpackValue(packed);
  return Array.isArray(read) ? read.map((item) => (isMessage(item) ? item : undefined)) : [];
}

/** A sealed value is our own, or `null`. */
function isMessage(item: unknown): item is Message {
  return isObject(item) && typeof item['role'] === 'string';
}

/** A message as `redact` leaves it, with a text in the place of each file that is larger than is kept. */
async function archivedText(
  message: Message,
  maxFileBytes: number,
  clean: (text: string) => string,
): Promise<string> {
  const replaced: { readonly part: { text: string }; file: unknown; content: Uint8Array }[] = [];
  const replace = (value: Readonly<Record<string, unknown>>): object | undefined => {
    const content = contentOf(value['data']);
    if (content.length <= maxFileBytes) return undefined;
    const part = { type: 'text', text: '' };
    replaced.push({ part, file: value['mediaType'], content });
    return part;
  };
  const encoded = encodeValue(message, { clean, replace, isPart: true });
  for (const { part, file, content } of replaced) {
    const mediaType = String(file);
    const sha256 = toHex(await crypto.subtle.digest('SHA-256', new Uint8Array(content)));
    const bytes = content.length;
    part.text = clean(
      `[a file of the type ${JSON.stringify(mediaType.slice(0, 100))}, ${bytes} bytes, SHA-256 ${sha256}: its bytes were not kept, as it is larger than ${maxFileBytes}]`,
    );
  }
  return JSON.stringify(encoded);
}

/**
 * Text that `redact` does not change stays exact to the character; it sees no secret that invisible characters split.
 */
function exactDoor(redact: Redact): (text: string) => string {
  const redactor = makeRedactor(redact);
  return (text) => {
    const redacted = redactor(text);
    return redacted === visibleText(text) ? text : redacted;
  };
}

/** The bytes that the data of a file holds; what should be base64 and is none counts by its characters. */
function contentOf(file: unknown): Uint8Array {
  const { type, data, url } = isObject(file) ? file : {};
  if (type === 'data' && data instanceof Uint8Array) return data;
  const address = type === 'url' && url instanceof URL && url.protocol === 'data:' ? url.href : '';
  const text = type === 'data' ? String(data) : address.slice(address.indexOf(',') + 1);
  try {
    return fromBase64(text);
  } catch {
    return utf8Encoder.encode(text);
  }
}

/** How a value is encoded. */
interface Encoding {
  /** Applied to every text: strings, names of fields, addresses, and numbers, as one may be a secret too. */
  readonly clean: (text: string) => string;
  /** The replacement of an object, if it has one. */
  readonly replace: (value: Readonly<Record<string, unknown>>) => object | undefined;
  /** Whether it is a message or a part of one, the names of whose fields are not anybody's words. */
  readonly isPart: boolean;
}

const asItIs = (text: string): string => text;

const exactly: Encoding = { clean: asItIs, replace: () => undefined, isPart: false };

/** Fields of a part that say what it is and belongs to, and the bytes of a file. */
const verbatim: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'mediaType', 'data']);

/** Fields of a part that hold parts, or the data of one. */
const inner: ReadonlySet<string> = new Set(['content', 'output', 'data']);

/** Begins a text that stands for something else: for one that begins so itself, bytes, or an address. */
const mark = '\0';

/**
 * A value as one that JSON can say. A value that is no text, bytes or address becomes the result of `JSON.stringify`.
 */
function encodeValue(value: unknown, encoding: Encoding): unknown {
  const { clean, replace, isPart } = encoding;
  if (Array.isArray(value)) return value.map((each) => encodeValue(each, encoding));
  if (!isObject(value)) {
    const cleaned = cleanScalar(value, clean);
    return typeof cleaned === 'string' && cleaned.startsWith(mark) ? mark + cleaned : cleaned;
  }
  if (value instanceof Uint8Array) return `${mark}bytes:${toBase64(value)}`;
  if (value instanceof URL) return `${mark}address:${addressOf(value, clean)}`;
  if ('toJSON' in value && typeof value.toJSON === 'function')
    return encodeValue(value.toJSON(), encoding);
  const fieldOf = ([name, field]: [string, unknown]): [string, unknown] => {
    if (!isPart) return [clean(name), encodeValue(field, encoding)];
    if (verbatim.has(name) && typeof field === 'string') return [name, encodeValue(field, exactly)];
    const isInner = inner.has(name) || (name === 'value' && value['type'] === 'content');
    return [name, encodeValue(field, { ...encoding, isPart: isInner })];
  };
  return replace(value) ?? Object.fromEntries(Object.entries(value).map(fieldOf));
}

/** Reads what {@link encodeValue} wrote. */
function decodeValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decodeValue);
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, decodeValue(each)]),
    );
  if (typeof value !== 'string' || !value.startsWith(mark)) return value;
  const [kind, content] = [value.slice(1, value.indexOf(':')), value.slice(value.indexOf(':') + 1)];
  if (kind === 'bytes') return fromBase64(content);
  return kind === 'address' ? new URL(content) : value.slice(1);
}

/** An address that is none any more says nothing. */
function addressOf({ href, protocol }: URL, clean: (text: string) => string): string {
  const cleaned = protocol === 'data:' ? href : clean(href);
  return URL.canParse(cleaned) ? cleaned : 'about:blank';
}

/** Packs a value: JSON, in which bytes and addresses stay what they are, compressed, as base64. */
export async function packValue(value: unknown): Promise<string> {
  return packText(JSON.stringify(encodeValue(value, exactly)));
}

async function packText(text: string): Promise<string> {
  return toBase64(await deflate(utf8Encoder.encode(text)));
}

/** Reads what {@link packValue} wrote. */
export async function unpackValue(packed: string): Promise<unknown> {
  const text = await inflate(fromBase64(packed));
  return decodeValue(JSON.parse(new TextDecoder('utf-8', { ignoreBOM: true }).decode(text)));
}
