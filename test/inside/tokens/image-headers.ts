/** Builds the first bytes of image files of a given size. */
export const imageHeaders: Readonly<Record<string, (width: number, height: number) => Uint8Array>> =
  {
    png: (width, height) =>
      bytes(
        '\u0089PNG\r\n\u001a\n',
        [0, 0, 0, 13],
        'IHDR',
        big(width, 4),
        big(height, 4),
        [8, 6, 0, 0, 0],
      ),
    gif: (width, height) => bytes('GIF89a', little(width, 2), little(height, 2), [0, 0, 0]),
    jpeg: (width, height) =>
      bytes(
        [0xff, 0xd8],
        [0xff, 0xe0, ...big(16, 2), ...filler(14)],
        // A profile of 40 kB and a table stand before the size.
        [0xff, 0xe1, ...big(40_002, 2), ...filler(40_000)],
        [0xff, 0xc4, ...big(20, 2), ...filler(18)],
        [0xff, 0xff, 0xc2, ...big(17, 2), 8, ...big(height, 2), ...big(width, 2), ...filler(10)],
      ),
    'webp (lossy)': (width, height) =>
      bytes(
        'RIFF',
        little(100, 4),
        'WEBPVP8 ',
        little(80, 4),
        [0, 0, 0, 0x9d, 1, 0x2a],
        little(width, 2),
        little(height, 2),
      ),
    'webp (lossless)': (width, height) =>
      bytes(
        'RIFF',
        little(100, 4),
        'WEBPVP8L',
        little(80, 4),
        [0x2f],
        little((width - 1) | ((height - 1) << 14), 4),
      ),
    'webp (extended)': (width, height) =>
      bytes(
        'RIFF',
        little(100, 4),
        'WEBPVP8X',
        little(10, 4),
        [0, 0, 0, 0],
        little(width - 1, 3),
        little(height - 1, 3),
      ),
  };

function bytes(...parts: readonly (string | readonly number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string' ? Array.from(part, (character) => character.charCodeAt(0)) : part,
    ),
  );
}

function big(value: number, size: number): number[] {
  return little(value, size).toReversed();
}

function little(value: number, size: number): number[] {
  return Array.from({ length: size }, (_, index) => (value >>> (8 * index)) & 255);
}

function filler(size: number): number[] {
  return Array.from({ length: size }, () => 0x20);
}
