/** Carriage return, vertical tab, form feed, next line. */
const lineEnds = /\r\n?|[\v\f\u0085]/g;

/**
 * Characters that a reader does not see and a model does: all that Unicode calls default-ignorable (soft hyphen,
 * bidirectional marks, fillers, variation selectors, tags), interlinear annotations, format controls of hieroglyphs,
 * shorthand and music, noncharacters, and the C0 and C1 controls without a visible effect. Plain characters are
 * passed over first: a fifth of the time for 2 MB of prose, which would take 50 ms.
 */
const hidden =
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  /(?![\t\n -~])[\u034f\ufe00-\ufe0e\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\p{Noncharacter_Code_Point}\u{13430}-\u{13455}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]+/gu;

/** Scripts whose letters look different beside a joiner or non-joiner: words are spelled with them. */
const joined = String.raw`[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Adlam}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}]`;
const picture = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`;

/** None is needed after a joiner, so the characters of a run of a million are not inspected one by one. */
const needless = String.raw`[\u200c\u200d\ufe0f](?:(?<=[\u200c\u200d])[\u200c\u200d\ufe0f]){0,999}`;

/** Non-joiner, joiner and emoji selector; captured where they show. */
const needed = new RegExp(
  `(${[
    String.raw`\ufe0f(?<=${picture}.)`,
    String.raw`\ufe0f(?<=[\d#*].)(?=\u20e3)`,
    // After a sign, as after the one that takes a letter's vowel, a joiner may stand at a word's end.
    String.raw`[\u200c\u200d](?<=${joined}.)(?:(?<=\p{M}.)|(?<=\p{L}.)(?=${joined})(?=[\p{L}\p{M}]))`,
    String.raw`\u200d(?<=${picture}\ufe0f?.)(?=${picture})`,
  ].join('|')})|${needless}`,
  'gu',
);

/** Most texts, numbers above all, of which a value may hold a million. */
const plain = /^[\t\n -~]*$/;

/**
 * Removes from a text what hides something from a human reader but not from a model: invisible
 * characters and controls other than tab and line feed; every line end becomes a line feed, a lone
 * surrogate U+FFFD. Applied twice it does nothing more.
 *
 * Characters that a script or an emoji needs stay, each once and only where it shows: a joiner or non-joiner between
 * two letters of a joined script (Persian, Urdu, the scripts of India) or after a vowel sign of one, a joiner between
 * two pictographs (👩‍👧), the emoji selector after a pictograph and in a keycap. Bidirectional marks, all other
 * variation selectors and tags (the flags of England, Scotland and Wales become a black flag) leave: they can carry
 * any text, and words can be read without them.
 */
export function visibleText(text: string): string {
  if (plain.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(lineEnds, '\n')
    .replaceAll(hidden, '')
    .replaceAll(needed, '$1');
}
