import type { LanguageModelV4FilePart } from '@ai-sdk/provider';

/** Random access to the bytes of a file, without decoding all of it. */
export interface FileBytes {
  /** Size in bytes; for base64 with padding or line breaks, up to a few bytes too large. */
  readonly length: number;
  /** The byte at `index`, or `NaN` where there is none. */
  readonly at: (index: number) => number;
}

/** The data of a file part, as prompts and tool results carry it. */
export type FileData = LanguageModelV4FilePart['data'];

/** Reads a file's bytes where the prompt holds them: `undefined` for references and remote URLs. */
export function fileBytes(data: FileData): FileBytes | undefined {
  if (data.type === 'data') {
    return typeof data.data === 'string' ? base64Bytes(data.data, 0) : arrayBytes(data.data);
  }
  if (data.type !== 'url' || data.url.protocol !== 'data:') return undefined;
  const { href } = data.url;
  return base64Bytes(href, href.indexOf(',') + 1);
}

function arrayBytes(bytes: Uint8Array): FileBytes {
  return { length: bytes.length, at: (index) => bytes[index] ?? Number.NaN };
}

function base64Bytes(text: string, start: number): FileBytes {
  return {
    length: Math.floor(((text.length - start) * 3) / 4),
    at: (index) => {
      const offset = start + Math.floor(index / 3) * 4 + (index % 3);
      const left = sextet(text.charCodeAt(offset));
      const right = sextet(text.charCodeAt(offset + 1));
      // The byte spans two digits; how many bits each gives depends on its place among the three.
      const bits = 2 * ((index % 3) + 1);
      return Number.isNaN(left + right)
        ? Number.NaN
        : ((left << bits) & 255) | (right >> (6 - bits));
    },
  };
}

function sextet(code: number): number {
  if (code >= 65 && code <= 90) return code - 65;
  if (code >= 97 && code <= 122) return code - 71;
  if (code >= 48 && code <= 57) return code + 4;
  if (code === 43 || code === 45) return 62;
  if (code === 47 || code === 95) return 63;
  return Number.NaN;
}
