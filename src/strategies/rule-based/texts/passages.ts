import type { Steps } from '../../../util/async/run-steps.ts';
import { endsSentence } from './sentences.ts';

/** Characters between two steps: a fraction of a millisecond. */
const passageStep = 512;

/** Parts after which a passage ends: data without an end would be held back for ever. */
const mostParts = 1000;

const newLine = 10;

/**
 * Where the passages of a text end: sentences and lines, of long ones the parts between commas and the
 * like, of data the fields, `key: value`. The smallest things that can be quoted and still be read;
 * ascending.
 *
 * @param isProse - Whether somebody speaks, so that full stops end sentences.
 * @param longest - Characters from which a sentence or line is long.
 */
export function* passageEnds(
  text: string,
  isProse: boolean,
  longest: number,
): Steps<readonly number[]> {
  const ends: number[] = [];
  let start = 0;
  let partEnds: number[] = [];
  const endAt = (end: number): void => {
    if (end - start > longest) ends.push(...partEnds.filter((part) => part < end));
    ends.push(end);
    start = end;
    partEnds = [];
  };
  let stop = passageStep;
  for (let position = 0; position < text.length; position += 1) {
    position = nextMark(text, position, Math.min(stop, text.length));
    if (position === stop) {
      stop += passageStep;
      yield;
    }
    const code = text.charCodeAt(position);
    if (code === newLine || (isProse && endsSentence(text, position))) endAt(position + 1);
    else if (isPause(text, position, isProse)) {
      fieldBehind.lastIndex = position;
      if (!isProse && fieldBehind.test(text)) endAt(position + 1);
      else partEnds.push(position + 1);
      if (partEnds.length === mostParts) endAt(position + 1);
    }
  }
  if (start < text.length) endAt(text.length);
  return ends;
}

/** By code of ASCII, whether a passage or a part of it may end at a character: most are none of these. */
const mayEnd: readonly boolean[] = Array.from({ length: 128 }, (_, code) =>
  '\n.!?,;|:'.includes(String.fromCharCode(code)),
);

/** Apart from the steps: a loop over characters in a generator takes ten times as long. */
function nextMark(text: string, from: number, to: number): number {
  for (let position = from; position < to; position += 1) {
    const code = text.charCodeAt(position);
    if (code > 127 || mayEnd[code] === true) return position;
  }
  return to;
}

/** Looks where it is told to: cutting the text there would cost more. */
const fieldBehind = /[,|] [\w-]{1,60}: /y;

/** Punctuation that a reader pauses at, before a space or without spaces altogether. */
function isPause(text: string, position: number, isProse: boolean): boolean {
  const code = text.charCodeAt(position);
  if (code > 127) return pauses.has(code);
  const isMark = code === 44 || code === 59 || code === 124 || (isProse && code === 58);
  return isMark && text.charCodeAt(position + 1) === 32;
}

/** The comma, the semicolon and the enumeration comma of East Asia, the dash and the ellipsis. */
const pauses: ReadonlySet<number> = new Set([0xff0c, 0xff1b, 0x3001, 0x2014, 0x2026]);
