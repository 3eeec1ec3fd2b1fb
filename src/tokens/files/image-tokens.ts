import type { ImageSize } from './image-size.ts';
import type { MediaFamily } from './media-family-of.ts';

/** What {@link imageTokens} looks at. */
export interface ImageTokensInput {
  readonly family: MediaFamily;
  /** Unknown for remote images and unusual formats. */
  readonly size?: ImageSize | undefined;
  /** OpenAI's `detail` setting. */
  readonly detail?: unknown;
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
export function imageTokens({ family, size, detail }: ImageTokensInput): number {
  const { width, height } = size ?? { width: 1024, height: 1024 };
  if (family === 'openai') {
    return detail === 'low' ? 85 : Math.max(openaiTiles(width, height), patches(width, height));
  }
  if (family === 'google') return googleTokens(width, height);
  return Math.min(1600, Math.ceil((width * height) / 750));
}

function openaiTiles(width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  return 85 + 170 * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
}

function patches(width: number, height: number): number {
  return Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32));
}

function googleTokens(width: number, height: number): number {
  if (width <= 384 && height <= 384) return 258;
  const tiles = Math.min(24, Math.ceil(width / 768) * Math.ceil(height / 768));
  return Math.max(1120, 258 * tiles);
}
