import type { FileBytes } from '../../prompt/message-parts.ts';

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

// Photographs carry previews and profiles in front of their size; a header has a few dozen segments.
const maxJpegSegments = 500;

/** Reads the size from the header of a PNG, JPEG, GIF or WebP file; `undefined` for anything else. */
export function imageSize(bytes: FileBytes): ImageSize | undefined {
  const size = readSize(bytes);
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined;
}

function readSize(bytes: FileBytes): ImageSize | undefined {
  if (startsWith(bytes, 0, '\u0089PNG')) {
    return {
      width: bigEndian(bytes, 16) * 65_536 + bigEndian(bytes, 18),
      height: bigEndian(bytes, 20) * 65_536 + bigEndian(bytes, 22),
    };
  }
  if (startsWith(bytes, 0, 'GIF8')) {
    return { width: littleEndian(bytes, 6), height: littleEndian(bytes, 8) };
  }
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return webpSize(bytes);
  if (startsWith(bytes, 0, '\u00ff\u00d8')) return jpegSize(bytes);
  return undefined;
}

function webpSize(bytes: FileBytes): ImageSize | undefined {
  if (startsWith(bytes, 12, 'VP8X')) {
    return {
      width: littleEndian(bytes, 24) + bytes.at(26) * 65_536 + 1,
      height: littleEndian(bytes, 27) + bytes.at(29) * 65_536 + 1,
    };
  }
  if (startsWith(bytes, 12, 'VP8L')) {
    const low = littleEndian(bytes, 21);
    const high = littleEndian(bytes, 23);
    return { width: (low & 0x3fff) + 1, height: ((low >> 14) | ((high & 0x0fff) << 2)) + 1 };
  }
  if (startsWith(bytes, 12, 'VP8 ')) {
    return { width: littleEndian(bytes, 26) & 0x3fff, height: littleEndian(bytes, 28) & 0x3fff };
  }
  return undefined;
}

function jpegSize(bytes: FileBytes): ImageSize | undefined {
  let position = 2;
  for (let segment = 0; segment < maxJpegSegments; segment++) {
    if (bytes.at(position) !== 0xff) return undefined;
    const marker = bytes.at(position + 1);
    // Start of frame, in all its codings; C4, C8 and CC share the range but are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return { width: bigEndian(bytes, position + 7), height: bigEndian(bytes, position + 5) };
    }
    position += marker === 0xff ? 1 : 2 + bigEndian(bytes, position + 2);
  }
  return undefined;
}

function startsWith(bytes: FileBytes, offset: number, text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (bytes.at(offset + index) !== text.charCodeAt(index)) return false;
  }
  return true;
}

function bigEndian(bytes: FileBytes, offset: number): number {
  return bytes.at(offset) * 256 + bytes.at(offset + 1);
}

function littleEndian(bytes: FileBytes, offset: number): number {
  return bytes.at(offset) + bytes.at(offset + 1) * 256;
}
