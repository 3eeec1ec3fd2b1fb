import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { fileBytes, type FileData } from '../../../../src/prompt/message-parts.ts';
import { imageSize, type ImageSize } from '../../../../src/tokens/files/image-size.ts';
import { imageHeaders } from '../../../tokens/files/image-headers.ts';

function sizeOf(data: FileData): ImageSize | undefined {
  const bytes = fileBytes(data);
  return bytes && imageSize(bytes);
}

describe('imageSize', () => {
  describe.each(Object.entries(imageHeaders))('of %s', (_, header) => {
    it.each([
      [1, 1],
      [640, 480],
      [1920, 1080],
      [4032, 3024],
    ])('reads %i x %i from bytes, base64 and data URLs', (width, height) => {
      const data = header(width, height);
      const base64 = Buffer.from(data).toString('base64');
      const size = { width, height };
      expect(sizeOf({ type: 'data', data })).toEqual(size);
      expect(sizeOf({ type: 'data', data: base64 })).toEqual(size);
      expect(sizeOf({ type: 'url', url: new URL(`data:image/x;base64,${base64}`) })).toEqual(size);
    });
  });

  it.each([
    ['no bytes', new Uint8Array()],
    ['a cut header', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13)],
    ['no size', new TextEncoder().encode('GIF89a\0\0\0\0')],
    ['a JPEG without a frame', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0)],
    ['a JPEG of empty segments', new Uint8Array(100_000).fill(0xff).fill(0xd8, 1, 2)],
    ['another format', Uint8Array.of(0x42, 0x4d, 1, 2, 3, 4)],
    ['text that is not base64', '<svg width="10">'],
  ])('is unknown for %s', (_, data) => {
    expect(sizeOf({ type: 'data', data })).toBeUndefined();
  });

  it('is unknown where the prompt does not hold the image', () => {
    expect(sizeOf({ type: 'url', url: new URL('https://example.com/a.png') })).toBeUndefined();
    expect(sizeOf({ type: 'reference', reference: { openai: 'file-1' } })).toBeUndefined();
  });
});
