import { cutMiddle } from '../../sizes/tokens/cut-middle.ts';
import { asOneLine, cutAtWord } from './texts.ts';

/** A line of an output that states a failure. */
export interface FailureLine {
  /** The line, without white space around it, at most 300 characters of it. */
  readonly line: string;
  /** Where the whole line starts and ends in the output. */
  readonly start: number;
  readonly end: number;
  /** Whether nothing but white space comes before it. */
  readonly isFirst: boolean;
}

/** Characters of a line that are read. */
const lineCharacters = 300;

/** Parts of lines that may state a failure; other lines are skipped. */
const hint =
  /err|fail|fatal|panic|exception|fault|traceback|dumped|not |no such|cannot|unable|denied|refused|undefined|[EF]: |\*\*\*|[✗✖✘×❌]/gi;

const statements: readonly RegExp[] = [
  // `Error: x`, `a.c:3:1: fatal error: x`, `error[E0308]: x`, `error TS2304: x`, `CMake Error at x`, `npm ERR! x`.
  /^[\s*[(!|-]{0,8}(?:[^\s:]{1,200}: ?){0,5}(?!no |zero |without )(?:[a-z]{1,12} )?(?:error|fatal|panic|err!|failure|exception)s?(?:[:![(]| in\b| at\b| TS\d| code\b| while\b|\s*$|(?<=!))/i,
  // `ValueError: x`, `java.io.IOException: x`, `TypeError [ERR_CODE]: x`.
  /^[\s*[(!|-]{0,8}(?:(?:uncaught|unhandled|caused by:) )?(?:[\w$]{1,80}\.){0,8}[\w$]{0,80}(?:Error|Exception|Fault)(?: \[\w{1,80}\])?(?:: |:?\s*$)/,
  // `bash: a: cannot open b`, `Failed to fetch x`, `make: *** [x] Error 2`; names and positions that end with a colon come first.
  /^[\s*[(!|-]{0,8}(?:[^\s:]{1,200}: ?){0,5}(?:failed (?:to|with|at)\b|failed:|unable to\b|could not\b|cannot (?:access|connect|create|execute|find|load|open|read|remove|resolve|stat|write)\b|\*\*\*|undefined: )/i,
  /(?:command not found(?:: \S{1,200})?|no such file(?: or directory)?|permission denied|connection refused|operation not permitted|is not recognized as an internal or external command,?|segmentation fault|core dumped)[\s.)']{0,4}$/i,
  /undefined reference to |\bsyntax error(?:\(s\)| near\b| at\b)|\bpanicked at\b/i,
  // `FAIL a.test.ts`, `not ok 3`, `2 failed`, `failures=1`, `  12:5  error  x`.
  /^[\s*[(!|=-]{0,8}(?:FAIL(?:ED|URES?)?\b|not ok \d|BUILD FAILED\b|Build failed\b|[✗✖✘×❌]|E: \w|\d{1,6}:\d{1,5}\s{1,4}error\b)/,
  /(?:^|[\s,(=])[1-9]\d{0,6} (?:\w{1,20} )?(?:failed|failing|failures?|errors?)\b/i,
  /\b(?:failures|errors|failed)(?:=|: ?)[1-9]/i,
];

/** Heads an error that is named further down. */
const heading = /^\s{0,8}traceback \(/i;

/** A line of a file that is shown with its numbers: it states nothing of the call. */
const numbered = /^\s{0,8}\d{1,6}(?:\t|→|[:|](?!\d))/;

/** An entry of a listing, such as a folder `errors`: one word says nothing of the call. */
const entry = /^\s{0,8}[a-z][\w.-]{0,80}\s*$/;

const warning = /^\W{0,8}(?:warn(?:ing)?\b|W: )/i;

const styling = /\[[\d;]{1,12}m/g;

/** Finds the first line of an output that states a failure; the head of a traceback counts where nothing else does. */
export function findFailureLine(text: string): FailureLine | undefined {
  let headed: FailureLine | undefined;
  hint.lastIndex = 0;
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const start = text.lastIndexOf('\n', found.index) + 1;
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    hint.lastIndex = end;
    const line = text
      .slice(start, Math.min(end, start + lineCharacters))
      .replaceAll(styling, '')
      .trimEnd();
    const isHeading = heading.test(line);
    if (
      numbered.test(line) ||
      entry.test(line) ||
      warning.test(line) ||
      !(isHeading || statements.some((each) => each.test(line)))
    )
      continue;
    const stated = { start, end, isFirst: text.slice(0, start).trim() === '' };
    if (isHeading) headed ??= { ...stated, line: line.trim() };
    else {
      // `ERROR:` is explained on the line below.
      const said = line.endsWith(':')
        ? `${line} ${/\S.*/.exec(text.slice(end, end + lineCharacters))?.[0] ?? ''}`
        : line;
      return {
        ...stated,
        isFirst: stated.isFirst || headed?.isFirst === true,
        line: cutAtWord(asOneLine(said), lineCharacters),
      };
    }
  }
  return headed;
}

const halves = { headFraction: 0.5, tailFraction: 0.5 };

/**
 * Takes the middle out of an output that is longer than so many characters, except the first line that states a failure
 * and the text around it.
 */
export function cutOutput(text: string, characters: number): string {
  const { text: short, removedChars } = cutMiddle(text, characters, halves);
  const failure = removedChars === 0 ? undefined : findFailureLine(text);
  if (failure === undefined) return short;
  const { start, end, line } = failure;
  const room = characters - line.length - 2;
  if (
    short.includes(text.slice(start, Math.min(end, start + lineCharacters))) ||
    room < line.length
  )
    return short;
  const before = text.slice(0, start).trimEnd();
  const after = text.slice(end).trimStart();
  const ofBefore = Math.min(before.length, Math.max(room / 2, room - after.length));
  const parts = [
    cutMiddle(before, ofBefore, halves).text,
    line,
    cutMiddle(after, room - ofBefore, halves).text,
  ];
  return parts.filter((part) => part !== '').join('\n');
}
