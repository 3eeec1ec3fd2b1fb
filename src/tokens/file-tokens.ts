import { fileBytes, type FileBytes, type FileData } from '../prompt/message-parts.ts';
import { isObject } from '../util/is-object.ts';
import type { MediaFamily } from './model-family.ts';

/** A file in a prompt: of a message, of reasoning or of a tool result. */
export interface PromptFile {
  readonly data: FileData;
  readonly mediaType: string;
  readonly providerOptions?: Readonly<Record<string, unknown>> | undefined;
}

// Per page: Anthropic states 1,500-3,000 for the text plus an image; Google 560 for Gemini 3.
const tokensPerPage: Readonly<Record<MediaFamily, number>> = {
  openai: 2000,
  anthropic: 3000,
  google: 560,
  other: 2000,
};

// Per second of sound: OpenAI states 10, Google 32, Mistral 12.5.
const tokensPerSecond: Readonly<Record<MediaFamily, number>> = {
  openai: 10,
  anthropic: 32,
  google: 32,
  other: 13,
};

/**
 * Prices a file by kind and size, never by its bytes as text. Images go by the provider's rule. Else,
 * with the size where the prompt holds the data:
 * - documents: a page per 100 kB, 1 to 50 (5 if unknown), at 560 to 3,000 tokens;
 * - sound: a second per 16 kB (64 kB for WAV; a minute if unknown), at 10 to 32 tokens;
 * - video: a second per 250 kB (a minute if unknown), at 300 tokens (Google's rate);
 * - text: a token per 4 bytes (2,000 if unknown).
 *
 * These are estimates on purpose on the low side: the model's answer corrects too low a figure,
 * while too high a figure would refuse a prompt that fits.
 */
export function fileTokens(file: PromptFile, family: MediaFamily): number {
  const bytes = fileBytes(file.data);
  const mediaType = file.mediaType.toLowerCase();
  switch (mediaType.replace(/\/.*/s, '')) {
    case 'image':
      return imageTokens(file, family);
    case 'audio':
      return (
        seconds(bytes, /wav|pcm|l16/.test(mediaType) ? 64_000 : 16_000) * tokensPerSecond[family]
      );
    case 'video':
      return seconds(bytes, 250_000) * 300;
    case 'text':
      return bytes === undefined ? 2000 : Math.ceil(bytes.length / 4);
    default:
      return pages(bytes) * tokensPerPage[family];
  }
}

function seconds(bytes: FileBytes | undefined, bytesPerSecond: number): number {
  return bytes === undefined ? 60 : Math.ceil(bytes.length / bytesPerSecond);
}

function pages(bytes: FileBytes | undefined): number {
  return bytes === undefined ? 5 : Math.min(50, Math.max(1, Math.ceil(bytes.length / 100_000)));
}

/**
 * Prices one image by the provider's published rule:
 * - OpenAI: the larger of the tile rule (fit into 2048, shorter side to 768, 85 + 170 per 512-pixel
 *   tile) and the patch rule (one per 32-pixel patch, at most 1,536); 85 at low detail;
 * - Anthropic: width x height / 750, at most 1,600. From Opus 4.7 on, large images cost up to three
 *   times that, on models with a window of 1,000,000;
 * - Google: 258 up to 384 x 384, else the larger of 258 per 768-pixel tile and Gemini 3's 1,120;
 * - others: Anthropic's, which is also that of 28-pixel patches (Qwen, Mistral).
 *
 * Unknown sizes are priced as 1024 x 1024. No rule exceeds 6,200, whatever a header says.
 */
function imageTokens({ data, providerOptions }: PromptFile, family: MediaFamily): number {
  const bytes = fileBytes(data);
  const { width, height } = (bytes && imageSize(bytes)) ?? { width: 1024, height: 1024 };
  const tilesOf = (side: number, scale: number): number =>
    Math.ceil((width * scale) / side) * Math.ceil((height * scale) / side);
  if (family === 'openai') {
    if (isLowDetail(providerOptions)) return 85;
    const fit = Math.min(1, 2048 / Math.max(width, height));
    const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
    return Math.max(85 + 170 * tilesOf(512, scale), Math.min(1536, tilesOf(32, 1)));
  }
  if (family !== 'google') return Math.min(1600, Math.ceil((width * height) / 750));
  return width <= 384 && height <= 384 ? 258 : Math.max(1120, 258 * Math.min(24, tilesOf(768, 1)));
}

function isLowDetail(providerOptions: PromptFile['providerOptions']): boolean {
  const options = providerOptions?.['openai'] ?? providerOptions?.['azure'];
  return isObject(options) && options['imageDetail'] === 'low';
}

/** Width and height in pixels. */
interface ImageSize {
  readonly width: number;
  readonly height: number;
}

// Photographs carry previews and profiles in front of their size; a header has a few dozen segments.
const maxJpegSegments = 500;

/** Reads the size from the header of a PNG, JPEG, GIF or WebP file; `undefined` for anything else. */
function imageSize(bytes: FileBytes): ImageSize | undefined {
  const { width = 0, height = 0 } = readSize(bytes) ?? {};
  return width > 0 && height > 0 ? { width, height } : undefined;
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
