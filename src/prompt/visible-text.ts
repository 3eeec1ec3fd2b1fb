/**
 * Code points that a reader does not see and a model does: all that Unicode calls default-ignorable (soft
 * hyphen, bidirectional marks, fillers, variation selectors, tags), interlinear annotations, format
 * controls of hieroglyphs and what is no character at all. The three that can be needed are not among
 * them. Written as UTF-16, which is searched several times as fast as `\p{…}`.
 */
const hidden =
  // oxlint-disable-next-line no-misleading-character-class -- each is looked for on its own
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufdd0-\ufdef\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]+/g;
const hiddenPairs =
  /\ud80d[\udc30-\udc55]|\ud82f[\udca0-\udca3]|\ud834[\udd73-\udd7a]|[\udb40-\udb43][\udc00-\udfff]|[\ud83f\ud87f\ud8bf\ud8ff\ud93f\ud97f\ud9bf\ud9ff\uda3f\uda7f\udabf\udaff\udb3f\udb7f\udbbf\udbff][\udffe\udfff]/g;

/** Non-joiner, joiner, emoji selector. */
const needed = /\u200c|\u200d|\ufe0f/g;

/** C0 and C1 controls that end a line, and those that do nothing a reader sees. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const lineEnds = /\r\n?|[\u000b\u000c\u0085]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f]+/g;

/** What a text without any of them does not have. */
const suspicious =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- looked for one by one
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff]/;

/** Scripts whose letters look different beside a joiner or non-joiner: words are spelled with them. */
const joined =
  /[\p{sc=Arabic}\p{sc=Syriac}\p{sc=Mandaic}\p{sc=Nko}\p{sc=Adlam}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Oriya}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const letterOrMark = /[\p{L}\p{M}]/u;
const mark = /\p{M}/u;
const pictograph = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]/u;

/**
 * Removes from a text what hides something from a human reader but not from a model: invisible
 * characters and controls other than tab and line feed; every line end becomes a line feed, a lone
 * surrogate U+FFFD. Applied twice it does nothing more.
 *
 * What a script or an emoji cannot be written without stays, each once and only where it shows: a joiner
 * or non-joiner between two letters of a script that is joined (Persian, Urdu, the scripts of India) or
 * behind a vowel sign of one, a joiner between two pictographs (👩‍👧), the emoji selector behind a
 * pictograph and in a keycap. Bidirectional marks, all other variation selectors and tags (the flags of
 * England, Scotland and Wales become a black flag) leave: they can carry any text, and words can be read
 * without them.
 */
export function visibleText(text: string): string {
  if (!suspicious.test(text)) return text;
  return text
    .toWellFormed()
    .replace(lineEnds, '\n')
    .replace(controls, '')
    .replace(hidden, '')
    .replace(hiddenPairs, '')
    .replace(needed, keepWhatShows);
}

function keepWhatShows(character: string, index: number, text: string): string {
  return isNeeded(character, index, text) ? character : '';
}

function isNeeded(character: string, index: number, text: string): boolean {
  const before = pointBefore(text, index);
  const after = pointAt(text, index + 1);
  switch (character) {
    case '\u200c':
      return joins(before, after);
    case '\u200d': {
      const base = before === '\ufe0f' ? pointBefore(text, index - 1) : before;
      return joins(before, after) || (pictograph.test(base) && pictograph.test(after));
    }
    default:
      return pictograph.test(before) || (/[\d#*]/.test(before) && after === '\u20e3');
  }
}

/** Behind a sign, as behind the one that takes a letter's vowel, a joiner may stand at a word's end. */
function joins(before: string, after: string): boolean {
  if (!joined.test(before) || !letterOrMark.test(before)) return false;
  return mark.test(before) || (joined.test(after) && letterOrMark.test(after));
}

function pointAt(text: string, index: number): string {
  const point = text.codePointAt(index);
  return point === undefined ? '' : String.fromCodePoint(point);
}

function pointBefore(text: string, index: number): string {
  const last = text.charAt(index - 1);
  return last >= '\udc00' && last <= '\udfff' ? pointAt(text, index - 2) : last;
}
