import { joinedLetter, joinedMark, pictograph, traitsOf } from './joined-points.ts';
import { isHiddenPoint, lineEnd, needed, plainUnit, surrogate, unitKinds } from './unit-kinds.ts';

const lineFeedUnit = 0x0a;
const carriageReturn = 0x0d;
const nonJoiner = 0x20_0c;
const joiner = 0x20_0d;
const selector = 0xfe_0f;
const keycap = 0x20_e3;
const replacement = 0xff_fd;

/** Makes a text of code units, several times as fast as `String.fromCharCode`. */
const decoder = new TextDecoder('utf-16le', { ignoreBOM: true });

/**
 * Removes from a text what hides something from a human reader but not from a model: invisible
 * characters and controls other than tab and line feed; every line end becomes a line feed, a lone
 * surrogate U+FFFD. Applied twice it does nothing more. Takes milliseconds for a megabyte of anything.
 *
 * What a script or an emoji cannot be written without stays, each once and only where it shows: a joiner
 * or non-joiner between two letters of a script that is joined (Persian, Urdu, the scripts of India) or
 * behind a vowel sign of one, a joiner between two pictographs (👩‍👧), the emoji selector behind a
 * pictograph and in a keycap. Bidirectional marks, all other variation selectors and tags (the flags of
 * England, Scotland and Wales become a black flag) leave: they can carry any text, and words can be read
 * without them.
 */
export function visibleText(text: string): string {
  if (isPlain(text)) return text;
  const units = new Uint16Array(text.length);
  const length = copyVisible(text, units);
  const kept = units.subarray(0, length);
  return decoder.decode(kept.subarray(0, keepWhatShows(kept)));
}

function isPlain(text: string): boolean {
  for (let position = 0; position < text.length; position += 1)
    if (unitKinds[text.charCodeAt(position)] !== plainUnit) return false;
  return true;
}

/** Copies what is no hidden character. Returns how many units it has written. */
function copyVisible(text: string, units: Uint16Array): number {
  let length = 0;
  let position = 0;
  while (position < text.length) {
    const unit = text.charCodeAt(position);
    position += 1;
    switch (unitKinds[unit]) {
      case plainUnit:
      case needed:
        units[length] = unit;
        length += 1;
        break;
      case lineEnd:
        if (unit === carriageReturn && text.charCodeAt(position) === lineFeedUnit) position += 1;
        units[length] = lineFeedUnit;
        length += 1;
        break;
      case surrogate: {
        const point = text.codePointAt(position - 1) ?? unit;
        if (point === unit) {
          units[length] = replacement;
          length += 1;
          break;
        }
        if (!isHiddenPoint(point)) {
          units[length] = unit;
          units[length + 1] = text.charCodeAt(position);
          length += 2;
        }
        position += 1;
        break;
      }
      default:
    }
  }
  return length;
}

/** Takes joiners and selectors out that do not show. Returns how many units are left. */
function keepWhatShows(units: Uint16Array): number {
  const { length } = units;
  let kept = 0;
  // What stood before, taken out or not: the units in front are being moved.
  let before = -1;
  let beforeThat = -1;
  for (let position = 0; position < length; position += 1) {
    const unit = units[position] ?? 0;
    const after = unitKinds[unit] === needed ? pointAt(units, position + 1) : -1;
    const base = unit === joiner && before === selector ? beforeThat : before;
    const isKept =
      unitKinds[unit] !== needed ||
      shows(unit, before, after) ||
      (unit === joiner && has(base, pictograph) && has(after, pictograph));
    if (isKept) {
      units[kept] = unit;
      kept += 1;
    }
    if (isLowSurrogate(unit)) {
      before = pointOf(before, unit);
    } else {
      beforeThat = before;
      before = unit;
    }
  }
  return kept;
}

/** Whether a selector, or a joiner of letters, does anything between two code points; -1 for none. */
function shows(unit: number, before: number, after: number): boolean {
  return unit === selector
    ? has(before, pictograph) || (isOfKeycap(before) && after === keycap)
    : // Behind a sign, as behind the one that takes a letter's vowel, a joiner may stand at a word's end.
      has(before, joinedLetter) && (has(before, joinedMark) || has(after, joinedLetter));
}

function has(point: number, trait: number): boolean {
  // Joiners in a row are the commonest of hostile texts.
  return point > 0 && point !== joiner && point !== nonJoiner && (traitsOf(point) & trait) !== 0;
}

function isOfKeycap(point: number): boolean {
  return (point >= 0x30 && point <= 0x39) || point === 0x23 || point === 0x2a;
}

function pointAt(units: Uint16Array, position: number): number {
  if (position >= units.length) return -1;
  const unit = units[position] ?? 0;
  return unitKinds[unit] === surrogate ? pointOf(unit, units[position + 1] ?? 0) : unit;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc_00 && unit <= 0xdf_ff;
}

function pointOf(high: number, low: number): number {
  return (high - 0xd8_00) * 0x4_00 + (low - 0xdc_00) + 0x1_00_00;
}
