import { noNarrative } from '../../composing/render-summary.ts';
import { tidy } from '../tidy.ts';
import type { Excerpt } from './texts/excerpt.ts';
import { asOneLine } from './texts/sentences.ts';
import type { MinutesText } from './texts/minutes-text.ts';

/** Begin the lines that quote what was said. */
export const bullet = '• ';
export const userHead = 'user: ';
export const assistantHead = 'assistant: ';

/** Stands in for the list of the user's words where there are too few of them. */
export const fewUserTurns = '• (few user messages)';

/** Stand between excerpts of what somebody said, between facts of a tool call, between calls of a tool. */
const omission = ' … ';
const nextFact = ' | ';
const nextCall = ' ; ';

const openCall = '[';
const closeCall = ']';

/** Begins what is told of a tool call: `✓ read_file: `. */
export function callHead(mark: string, toolName: string): string {
  return `${mark} ${tidy(toolName.slice(0, maxNameCharacters))}: `;
}

const maxNameCharacters = 100;

/** Whether a line quotes what a user said. */
export function isOfUser({ head }: Pick<MinutesText, 'head'>): boolean {
  return head === bullet || head === userHead;
}

/** Writes excerpts in the order of the conversation, one line for each message and each tool call. */
export function writeMinutes(texts: readonly MinutesText[], excerpts: readonly Excerpt[]): string {
  const inOrder = excerpts.toSorted(
    (one, other) => one.source - other.source || one.start - other.start,
  );
  const lines: { readonly head: string; body: string; readonly facts: string }[] = [];
  const byLine = Map.groupBy(inOrder, ({ source }) => texts[source]?.line ?? 0);
  for (const [, ofLine] of [...byLine].toSorted(([one], [other]) => one - other)) {
    const { head = '', isCall = false } = texts[ofLine[0]?.source ?? 0] ?? {};
    const facts = ofLine
      .filter((excerpt) => quotesAllFacts(texts[excerpt.source], excerpt))
      .map(({ source }) => texts[source]?.text ?? '')
      .join(nextFact);
    const body = bodyOf(texts, ofLine, isCall, facts);
    const last = lines.at(-1);
    // Several calls of one tool with the same outcome need its name once.
    if (isCall && last?.head === head && facts === '' && last.facts === '')
      last.body += `${nextCall}${body}`;
    else if (body !== '' || facts !== '') lines.push({ head, body, facts });
  }
  return lines
    .map(({ head, body, facts }) =>
      facts === ''
        ? `${head}${body}`
        : `${openCall}${head}${facts}${closeCall}${body && ` ${body}`}`,
    )
    .join('\n');
}

function quotesAllFacts(text: MinutesText | undefined, { start, end }: Excerpt): boolean {
  return text?.isFacts === true && start === 0 && end === text.text.length;
}

/** Joins the excerpts of one line; neighbours become one, and what is said on the line already is left out. */
function bodyOf(
  texts: readonly MinutesText[],
  excerpts: readonly Excerpt[],
  isCall: boolean,
  said: string,
): string {
  const ranges: { readonly source: number; readonly start: number; end: number }[] = [];
  for (const { source, start, end } of excerpts) {
    const last = ranges.at(-1);
    if (last?.source === source && start <= last.end) last.end = Math.max(last.end, end);
    else ranges.push({ source, start, end });
  }
  const pieces: string[] = [];
  for (const { source, start, end } of ranges) {
    const text = texts[source]?.text.slice(start, end) ?? '';
    for (const piece of isCall ? printedLines(text) : [asOneLine(text.replaceAll(markup, ''))])
      if (piece !== '' && ![said, ...pieces].some((earlier) => earlier.includes(piece)))
        pieces.push(piece);
  }
  return pieces.join(isCall ? nextFact : omission);
}

/** Bold type, and lines that hold nothing but a fence or a tag. */
const markup = /\*\*|^[ \t]*(?:```\w*|<\/?[\w-]+>)[ \t]*$/gm;

/** What tools printed line by line, without the numbers of empty lines. */
function printedLines(text: string): readonly string[] {
  const lines = text.split('\n').map(tidy);
  return lines.length === 1 ? lines : lines.filter((line) => !/^\d{0,5}$/.test(line));
}

/** Characters of a narrative that are read: one that is longer was not written for a budget. */
const maxMinutesCharacters = 500_000;

const spokenHead = /^(?:• |user: |assistant: )/;
const headOfCall = /^[✓❌◐] [^:\n]{0,100}: /u;
const bracketed = /^\[([^\]\n]*)\](?: (.*))?$/;

/**
 * Takes the narrative of an earlier record apart.
 *
 * @returns What its lines quote, to be selected from like any other text; how many lines there are, and how
 * many of them are what a user said.
 */
export function readNarrative(narrative: string): {
  readonly texts: readonly MinutesText[];
  readonly lines: number;
  readonly userTurns: number;
} {
  const texts: MinutesText[] = [];
  let lines = 0;
  let userTurns = 0;
  for (const line of narrative.slice(0, maxMinutesCharacters).split('\n')) {
    if (line.trim() === '' || line === fewUserTurns || line === noNarrative) continue;
    const [, inBrackets, behind = ''] = bracketed.exec(line) ?? [];
    const isCall = headOfCall.test(inBrackets ?? line);
    const whole = isCall ? (inBrackets ?? line) : line;
    const [head = ''] = (isCall ? headOfCall : spokenHead).exec(whole) ?? [];
    const place = { index: -1, role: 'memory', line: lines, head, isCall } as const;
    const facts = isCall && inBrackets !== undefined ? whole.slice(head.length) : '';
    if (facts !== '') texts.push({ ...place, isFacts: true, text: facts });
    const quoted = facts === '' ? whole.slice(head.length) : behind;
    // Facts of one call stay neighbours, so that they can be quoted together again.
    const pieces = quoted.split(isCall ? nextCall : omission);
    for (const text of isCall ? pieces.map((piece) => piece.replaceAll(nextFact, '\n')) : pieces)
      if (text !== '')
        texts.push({
          ...place,
          quotesUser: isOfUser({ head }),
          isReply: head === assistantHead,
          text,
        });
    if (isOfUser({ head })) userTurns += 1;
    lines += 1;
  }
  return { texts, lines, userTurns };
}
