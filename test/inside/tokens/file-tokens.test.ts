import { describe, expect, it } from 'vitest';
import { fileTokens } from '../../../src/tokens/file-tokens.ts';
import { imageHeaders } from './image-headers.ts';

const url = { type: 'url', url: new URL('https://example.com/file') } as const;

/** An image of a size, of which nothing but the header is there. */
function png(width: number, height: number, format = 'png') {
  const bytes = imageHeaders[format]?.(width, height) ?? new Uint8Array();
  return { data: { type: 'data', data: bytes } as const, mediaType: 'image/*' };
}

describe('the tokens of an image', () => {
  it.each(Object.keys(imageHeaders))('are told by the header of a file: %s', (format) => {
    expect(fileTokens(png(1000, 500, format), 'other')).toBe(667);
  });

  it.each([
    ['openai', 512, 512, 256],
    ['openai', 1024, 1024, 1024],
    ['openai', 2048, 4096, 1536],
    ['openai', 64, 4000, 765],
    ['openai', 65_535, 65_535, 1536],
    ['anthropic', 200, 200, 54],
    ['anthropic', 1000, 1000, 1334],
    ['anthropic', 8000, 8000, 1600],
    ['google', 384, 384, 258],
    ['google', 1024, 1024, 1120],
    ['google', 3000, 3000, 4128],
    ['google', 65_535, 65_535, 6192],
    ['other', 1000, 500, 667],
  ] as const)('of %s, %i x %i, is %i', (family, width, height, tokens) => {
    expect(fileTokens(png(width, height), family)).toBe(tokens);
  });

  it('is 85 at low detail', () => {
    const providerOptions = { openai: { imageDetail: 'low' } };
    expect(fileTokens({ ...png(1024, 1024), providerOptions }, 'openai')).toBe(85);
  });
});

describe('fileTokens', () => {
  it.each(['openai', 'anthropic', 'google', 'other'] as const)(
    'never counts the bytes of an image as text (%s)',
    (family) => {
      const image = new Uint8Array(500_000);
      image.set(imageHeaders['png']?.(800, 600) ?? []);
      const base64 = btoa(String.fromCharCode(...image.subarray(0, 300))) + 'A'.repeat(600_000);
      for (const data of [image, base64]) {
        const file = { data: { type: 'data', data } as const, mediaType: 'image/png' };
        expect(fileTokens(file, family)).toBe(fileTokens(png(800, 600), family));
      }
    },
  );

  it.each([
    ['image', 'openai', 1024],
    ['image/*', 'anthropic', 1399],
    ['IMAGE/PNG', 'google', 1120],
    ['application/pdf', 'anthropic', 15_000],
    ['application/pdf', 'google', 2800],
    ['audio/mpeg', 'openai', 600],
    ['audio/mpeg', 'google', 1920],
    ['video/mp4', 'google', 18_000],
    ['text/plain', 'openai', 2000],
    ['application/zip', 'other', 10_000],
  ] as const)('prices a remote %s for %s at %i', (mediaType, family, tokens) => {
    expect(fileTokens({ data: url, mediaType }, family)).toBe(tokens);
  });

  it.each([
    ['application/pdf', 10_000, 3000],
    ['application/pdf', 1_000_000, 30_000],
    ['application/pdf', 30_000_000, 150_000],
    ['text/csv', 4000, 1000],
    ['audio/mp3', 160_000, 320],
    ['audio/wav', 640_000, 320],
    ['video/mp4', 2_500_000, 3000],
  ])('prices %s of %i bytes at %i', (mediaType, size, tokens) => {
    const data = { type: 'data', data: new Uint8Array(size) } as const;
    expect(fileTokens({ data, mediaType }, 'anthropic')).toBe(tokens);
  });

  it.each([
    [{ openai: { imageDetail: 'low' } }, 85],
    [{ azure: { imageDetail: 'low' } }, 85],
    [{ openai: { imageDetail: 'high' } }, 1024],
    [{ openai: 'low' }, 1024],
  ])('honours the detail in %j', (providerOptions, tokens) => {
    expect(fileTokens({ data: url, mediaType: 'image/png', providerOptions }, 'openai')).toBe(
      tokens,
    );
  });
});
