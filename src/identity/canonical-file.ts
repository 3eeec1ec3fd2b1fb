import type { LanguageModelV4FilePart } from '@ai-sdk/provider';
import type { FileData } from '../prompt/file-bytes.ts';

/**
 * What identifies a file: its media type and its bytes, address or text. Raw bytes and their base64
 * form are the same file: a history that went through JSON carries the latter.
 */
export function canonicalFile({
  data,
  mediaType,
}: Pick<LanguageModelV4FilePart, 'data' | 'mediaType'>): unknown[] {
  return ['file', mediaType, data.type, fileContent(data)];
}

function fileContent(data: FileData): unknown {
  switch (data.type) {
    case 'data':
      return typeof data.data === 'string' ? data.data : toBase64(data.data);
    case 'url':
      return String(data.url);
    case 'reference':
      return data.reference;
    case 'text':
      return data.text;
  }
}

const chunkBytes = 0x8000;

function toBase64(bytes: Uint8Array): string {
  const chunks: string[] = [];
  // In chunks, because the spread of a large array overflows the call stack.
  for (let offset = 0; offset < bytes.length; offset += chunkBytes)
    chunks.push(String.fromCharCode(...bytes.subarray(offset, offset + chunkBytes)));
  return btoa(chunks.join(''));
}
