import { type Redact, redactionDoor } from '../cleaning/redaction-door.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { toHex } from '../hash/sha256-hex.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { isObject } from '../util/is-object.ts';
import { toBase64, fromBase64, utf8Encoder } from '../util/strings.ts';
import type { ArchivedMessage, ArchivePolicy } from './stored-archive.ts';
import { compressText, encodedFields, encodeValue } from './value-codec.ts';

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
  const slices = timeSlices();
  const texts: string[] = [];
  for (const message of messages) {
    texts.push(await archivedText(message, policy));
    await slices.pause();
  }
  const base64 = toBase64(await compressText(`[${texts.join(',')}]`));
  return Array.from({ length: Math.ceil(base64.length / partCharacters) }, (_, part) =>
    base64.slice(part * partCharacters, (part + 1) * partCharacters),
  );
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
