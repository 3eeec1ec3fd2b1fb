import { fileBytes, type FileBytes, type FileData } from '../../prompt/message-parts.ts';
import { imageSize } from './image-size.ts';
import { imageTokens } from './image-tokens.ts';
import type { MediaFamily } from './media-family-of.ts';

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
 * Prices a file by kind and size, never by its bytes as text. Images go by {@link imageTokens}. Else,
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
      return imageTokens({
        family,
        size: bytes && imageSize(bytes),
        detail: imageDetail(file.providerOptions),
      });
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

function imageDetail(providerOptions: PromptFile['providerOptions']): unknown {
  const options = providerOptions?.['openai'] ?? providerOptions?.['azure'];
  return typeof options === 'object' && options !== null && 'imageDetail' in options
    ? options.imageDetail
    : undefined;
}
