import { type Redact, redactionDoor } from '../cleaning/redaction-door.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { toHex } from '../hash/sha256-hex.ts';
import { type FileData, fileBytes } from '../prompt/file-bytes.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type {
  ArchivedMessage,
  ArchivedRecord,
  ArchivePolicy,
  PackedArchive,
} from './stored-archive.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { isObject } from '../util/is-object.ts';
import { toBase64, fromBase64, utf8Encoder } from '../util/strings.ts';
import { compressText, encodedFields, encodeValue } from './value-codec.ts';

/**
 * Characters of a value. Sealed they are half a million, which every store and its clients take in one
 * request.
 */
const partCharacters = 384 * 1024;

/** Packs messages: what `redact` leaves of them, without their large files, compressed. */
export async function packArchive(
  messages: readonly Message[],
  policy: ArchivePolicy,
  of: ArchivedRecord,
): Promise<PackedArchive> {
  const slices = timeSlices();
  const texts: string[] = [];
  for (const message of messages) {
    texts.push(await archivedText(message, policy));
    await slices.pause();
  }
  const bytes = await compressText(`[${texts.join(',')}]`);
  const base64 = toBase64(bytes);
  const parts: string[] = [];
  for (let start = 0; start < base64.length; start += partCharacters)
    parts.push(base64.slice(start, start + partCharacters));
  return { ...of, parts };
}

type OmittedBytes = ArchivedMessage['omitted'][number];

/** Bytes of a file that is kept as it is. */
const defaultMaxFileBytes = 1024 * 1024;

/** Fields of a part that say what it is and belongs to. */
const structural: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'mediaType']);

/** Those of the data of a file that may say something. */
const spoken: ReadonlySet<string> = new Set(['text', 'url']);

/**
 * A message as it is archived: as `redact` leaves it, with a text in the place of each file that is larger than is kept.
 * Redacted is every text of it, ids and names of tools, the names of fields in what tools were given and returned, and
 * addresses; not the bytes of files. What is nested beyond the stack, or in a circle, is missing.
 */
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
    return encodeValue({ type: 'text', text: placeholder(file, maxFileBytes) }, clean);
  };
  const encoded = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(encoded));
    if (!isObject(value)) return encodeValue(value, clean);
    const replacement = await replaced(value);
    if (replacement !== undefined) return replacement;
    const fieldOf = async (name: string, field: unknown): Promise<unknown> => {
      if (name === 'content' || name === 'output') return encoded(field);
      if (name === 'data') return encodedData(field, clean);
      if (name !== 'value' || !Array.isArray(field))
        return encodeValue(field, structural.has(name) ? undefined : clean);
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

/** Data of a file: its bytes and where a provider has it stay. */
function encodedData(data: unknown, clean: ((text: string) => string) | undefined): unknown {
  if (!isObject(data) || typeof data['type'] !== 'string') return encodeValue(data);
  return encodedFields(
    Object.entries(data).map(([name, field]) => [
      name,
      encodeValue(field, spoken.has(name) ? clean : undefined),
    ]),
  );
}

/** What `redact` leaves alone stays exact to the character; it sees no secret that invisible characters split. */
function exactDoor(redact: Redact): (text: string) => string {
  const door = redactionDoor(redact);
  return (text) => {
    const redacted = door(text);
    return redacted === visibleText(text) ? text : redacted;
  };
}

/** What is said of a part that is a file which is larger than is kept. */
async function largeFile(part: unknown, maxFileBytes: number): Promise<OmittedBytes | undefined> {
  const { data, mediaType } = isObject(part) ? part : {};
  if (!isFileData(data) || (fileBytes(data)?.length ?? 0) <= maxFileBytes) return undefined;
  const bytes = bytesOf(data);
  const sha256 = toHex(await crypto.subtle.digest('SHA-256', bytes));
  return { mediaType: String(mediaType), bytes: bytes.length, sha256 };
}

function isFileData(data: unknown): data is FileData {
  if (!isObject(data)) return false;
  const { type, data: bytes, url } = data;
  return type === 'data'
    ? typeof bytes === 'string' || bytes instanceof Uint8Array
    : type === 'url' && url instanceof URL;
}

/** The bytes of a file; what should be base64 and is none counts by its characters. */
function bytesOf(data: FileData): Uint8Array<ArrayBuffer> {
  if (data.type === 'data' && typeof data.data !== 'string') return new Uint8Array(data.data);
  const text = data.type === 'url' ? data.url.href : data.type === 'data' ? String(data.data) : '';
  try {
    return fromBase64(data.type === 'url' ? text.slice(text.indexOf(',') + 1) : text);
  } catch {
    return utf8Encoder.encode(text);
  }
}

function placeholder({ mediaType, bytes, sha256 }: OmittedBytes, most: number): string {
  const type = JSON.stringify(mediaType.slice(0, 100));
  return `[a file of the type ${type}, ${bytes} bytes, SHA-256 ${sha256}: its bytes were not kept, as it is larger than ${most}]`;
}
