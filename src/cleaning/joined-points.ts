/** What stands beside a joiner, as bits. */
export const joinedLetter = 1;
/** A sign of a joinedScripts script: one may stand before a joiner at a word's end. */
export const joinedMark = 2;
export const pictograph = 4;
const known = 8;

/** Scripts whose letters look different beside a joiner or non-joiner: words are spelled with them. */
const joinedScripts =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Adlam}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const letterOrMark = /[\p{L}\p{M}]/u;
const combiningMark = /\p{M}/u;
const picture = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;

/** Above are no such scripts and no pictographs. */
const end = 0x2_00_00;

/** By code point, filled as they come: asking the expressions for every character of megabytes is slow. */
let traits: Uint8Array | undefined;

/** The traits of a code point that decide whether a joiner or selector beside it shows. */
export function traitsOf(point: number): number {
  if (point >= end) return 0;
  traits ??= new Uint8Array(end);
  const found = traits[point] ?? 0;
  if (found !== 0) return found;
  const character = String.fromCodePoint(point);
  let bits = known;
  if (picture.test(character)) bits |= pictograph;
  if (joinedScripts.test(character) && letterOrMark.test(character))
    bits |= combiningMark.test(character) ? joinedLetter | joinedMark : joinedLetter;
  traits[point] = bits;
  return bits;
}
