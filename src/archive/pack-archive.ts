import type { ArchivePolicy } from './archive-policy.ts';
import { type Redact, redactionDoor } from '../cleaning/redaction-door.ts';
import { visibleText } from '../cleaning/visible-text.ts';
import { toHex } from '../hash/sha256-hex.ts';
import { type FileData, fileBytes } from '../prompt/file-bytes.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type {
  ArchiveBlock,
  ArchivedMessage,
  ArchivedRecord,
  OmittedFile,
  PackedArchive,
} from './stored-archive.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { isObject } from '../util/is-object.ts';
import { base64Steps, fromBase64 } from '../util/strings/base64.ts';
import { utf8Encoder } from '../util/strings/utf8-length.ts';
import { compressText, encodeValue } from './value-codec.ts';

/** Characters of messages that are compressed together: what one damaged value takes with it. */
const blockCharacters = 512 * 1024;
/**
 * Characters of a value. Sealed they are half a million, which every store and its clients take in one
 * request.
 */
const partCharacters = 384 * 1024;

/** Packs messages: what `redact` leaves of them, without their large files, compressed. */
export async function packArchive(
  messages: readonly Message[],
  { maxFileBytes, redact }: ArchivePolicy,
  of: ArchivedRecord,
): Promise<PackedArchive> {
  const slices = timeSlices();
  const blocks: ArchiveBlock[] = [];
  const parts: string[] = [];
  let texts: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (texts.length === 0) return;
    const bytes = await compressText(`[${texts.join(',')}]`);
    const base64 = await runInSlices(base64Steps(bytes), slices);
    const before = parts.length;
    for (let start = 0; start < base64.length; start += partCharacters)
      parts.push(base64.slice(start, start + partCharacters));
    blocks.push({ messages: texts.length, parts: parts.length - before });
    texts = [];
    characters = 0;
  };
  for (const message of messages) {
    const { message: kept, omitted } = await omitLargeFiles(message, maxFileBytes);
    const text = archivedText(() => ({
      message: redact === undefined ? kept : redactMessage(kept, redact),
      omitted,
    }));
    if (characters + text.length > blockCharacters) await flush();
    texts.push(text);
    characters += text.length;
    await slices.pause();
  }
  await flush();
  return { ...of, blocks, parts };
}

/** One that is nested beyond the stack, or in a circle, is missing from the archive. */
function archivedText(archived: () => unknown): string {
  try {
    return JSON.stringify(encodeValue(archived()));
  } catch {
    return 'null';
  }
}

/**
 * Puts a text in the place of each file of a message that is larger than is kept: what it was, and that its
 * bytes are not here.
 */
async function omitLargeFiles(message: Message, maxFileBytes: number): Promise<ArchivedMessage> {
  const omitted: Omit<OmittedFile, 'message'>[] = [];
  const withoutLarge = async (part: unknown): Promise<unknown> => {
    if (!isObject(part)) return part;
    if (isObject(part['output']))
      return { ...part, output: await outputWithoutLarge(part['output']) };
    const { data, mediaType } = part;
    if (!isFileData(data)) return part;
    const length = fileBytes(data)?.length;
    if (length === undefined || length <= maxFileBytes) return part;
    const file = await describe(data, String(mediaType), length);
    omitted.push(file);
    return { type: 'text', text: placeholder(file, maxFileBytes) };
  };
  const outputWithoutLarge = async (output: object): Promise<unknown> =>
    'value' in output && Array.isArray(output.value)
      ? { ...output, value: await Promise.all(output.value.map(withoutLarge)) }
      : output;
  if (message.role === 'system') return { message, omitted };
  const content = await Promise.all(message.content.map(withoutLarge));
  return omitted.length === 0
    ? { message, omitted }
    : { message: Object.assign({ ...message }, { content }), omitted };
}

function isFileData(data: unknown): data is FileData {
  if (!isObject(data)) return false;
  const { type, data: bytes, url } = data;
  return type === 'data'
    ? typeof bytes === 'string' || bytes instanceof Uint8Array
    : type === 'url' && url instanceof URL;
}

async function describe(
  data: FileData,
  mediaType: string,
  length: number,
): Promise<Omit<OmittedFile, 'message'>> {
  const bytes = bytesOf(data);
  const sha256 = toHex(await crypto.subtle.digest('SHA-256', bytes));
  return { mediaType, bytes: bytes.length || length, sha256 };
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

function placeholder(
  { mediaType, bytes, sha256 }: Omit<OmittedFile, 'message'>,
  most: number,
): string {
  const type = JSON.stringify(mediaType.slice(0, 100));
  return `[a file of the type ${type}, ${bytes} bytes, SHA-256 ${sha256}: its bytes were not kept, as it is larger than ${most}]`;
}

/** Fields of a part that say what it is and belongs to, and those that hold the content of a file. */
const structural: ReadonlySet<string> = new Set(['type', 'role', 'kind', 'mediaType', 'data']);

/**
 * A message as `redact` leaves it: every text of it, ids and names of tools, the names of fields in what tools were given and
 * returned, and addresses. What `redact` leaves alone stays exact to the character, as an archive is word
 * for word; it sees each text without its invisible characters, so that none splits a secret. The bytes
 * of files stay.
 */
function redactMessage(message: Message, redact: Redact): unknown {
  const door = redactionDoor(redact);
  return redactPart(message, (text) => {
    const redacted = door(text);
    return redacted === visibleText(text) ? text : redacted;
  });
}

function redactPart(part: unknown, clean: (text: string) => string): object {
  if (!isObject(part)) return {};
  const fields = Object.entries(part).map(([name, value]) => {
    if (name === 'data') return [name, redactFile(value, clean)];
    if (structural.has(name)) return [name, value];
    if (name === 'content' || name === 'output') return [name, redactContent(value, clean)];
    return [name, redactValue(value, clean)];
  });
  return Object.fromEntries(fields);
}

/** The content of a message, or the output of a tool. */
function redactContent(value: unknown, clean: (text: string) => string): unknown {
  if (Array.isArray(value))
    return value.map((part: unknown) => (isObject(part) ? redactPart(part, clean) : part));
  if (!isObject(value)) return redactValue(value, clean);
  const { type, value: content } = value;
  const redacted = redactPart(value, clean);
  return type === 'content' && Array.isArray(content)
    ? { ...redacted, value: redactContent(content, clean) }
    : redacted;
}

function redactFile(data: unknown, clean: (text: string) => string): unknown {
  if (!isObject(data)) return data;
  if (typeof data['text'] === 'string') return { ...data, text: clean(data['text']) };
  return data['url'] instanceof URL ? { ...data, url: redactUrl(data['url'], clean) } : data;
}

/** An address that is none any more says nothing. */
function redactUrl(url: URL, clean: (text: string) => string): URL {
  if (url.protocol === 'data:') return url;
  const href = clean(url.href);
  return URL.canParse(href) ? new URL(href) : new URL('about:blank');
}

function redactValue(value: unknown, clean: (text: string) => string): unknown {
  if (typeof value === 'string') return clean(value);
  // A number may be a secret too.
  if (typeof value === 'number')
    return clean(String(value)) === String(value) ? value : clean(String(value));
  if (Array.isArray(value)) return Array.from(value, (each: unknown) => redactValue(each, clean));
  if (value instanceof URL) return redactUrl(value, clean);
  if (!isObject(value) || value instanceof Uint8Array || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [clean(name), redactValue(each, clean)]),
  );
}
