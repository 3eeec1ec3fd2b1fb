/** Classes of characters; those of a run of characters are joined by `|`. */
export const separator = 0;
export const lower = 1;
export const upper = 2;
export const digit = 4;
export const underscore = 8;
export const slash = 16;
export const dot = 32;
export const dash = 64;
export const at = 128;
export const joiners: number = slash | dot | dash | at;

const classes: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code);
  if (character >= 'a' && character <= 'z') return lower;
  if (character >= 'A' && character <= 'Z') return upper;
  if (character >= '0' && character <= '9') return digit;
  return { _: underscore, '/': slash, '.': dot, '-': dash, '@': at, '~': dash }[character] ?? 0;
});

/** First code unit of the scripts that are written without spaces. */
export const firstUnspaced = 0x2e80;

/** Class of a UTF-16 code unit. */
export function classOf(code: number): number {
  if (code < 128) return classes[code] ?? separator;
  // Letters of other scripts read as lower case; general punctuation and symbols separate.
  if (code < 0xc0 || (code >= 0x2000 && code < firstUnspaced) || code === 0xfffd) return separator;
  return code >= 0xd800 && code < 0xe000 ? separator : lower;
}
