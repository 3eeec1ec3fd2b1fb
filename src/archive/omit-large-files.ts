import { toHex } from '../hash/sha256-hex.ts';
import { fileBytes, type FileData } from '../prompt/file-bytes.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { fromBase64 } from '../util/strings/base64.ts';
import { isObject } from '../util/is-object.ts';
import { utf8Encoder } from '../util/strings/utf8-length.ts';
import type { ArchivedMessage, OmittedFile } from './archived-message.ts';

/**
 * Puts a text in the place of each file of a message that is larger than is kept: what it was, and that its
 * bytes are not here.
 */
export async function omitLargeFiles(
  message: Message,
  maxFileBytes: number,
): Promise<ArchivedMessage> {
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
