import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { FileData } from '../prompt/file-bytes.ts';

/** A file whose content is still to be added, as base64. */
export interface FileOfBytes {
  readonly file: unknown[];
  readonly bytes: Uint8Array;
}

/**
 * What identifies a file: its media type and its bytes, address or text. Raw bytes and their base64
 * form are the same file: a history that went through JSON carries the latter.
 *
 * @param filesOfBytes - Where a file of raw bytes is put: base64 takes steps.
 */
export function canonicalFile(
  { data, mediaType }: Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>,
  filesOfBytes: FileOfBytes[],
): unknown[] {
  const file: unknown[] = ['file', mediaType, data.type];
  if (data.type === 'data' && typeof data.data !== 'string')
    filesOfBytes.push({ file, bytes: data.data });
  else file.push(fileContent(data));
  return file;
}

function fileContent(data: FileData): unknown {
  switch (data.type) {
    case 'data':
      return data.data;
    case 'url':
      return String(data.url);
    case 'reference':
      return data.reference;
    case 'text':
      return data.text;
  }
}
