import type { Steps } from '../../../util/async/run-steps.ts';

/** A stretch of a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const fence = /^\s*(`{3,}|~{3,}|"""|''')/;
const openTag = /^\s*<([a-z][\w-]{0,40})(?:\s[^>]{0,200})?>\s*$/i;
const heading = /^-{3,} ?(\w[\w ]{0,40}?) ?-{3,}$/;
const forwarded =
  /^(?:-{2,} ?(?:original message|forwarded message)|begin forwarded message|on .{5,80} wrote:$|-----BEGIN )/i;

/** Longer lines open no document. */
const maxHeadCharacters = 300;

/** Kinds of documents in one text; each is looked for once. */
const mostKinds = 100;

/** Characters between two steps: a fraction of a millisecond. */
const quotingStep = 1024;

/**
 * Finds what somebody shows and does not say: code between fences, documents between tags or between
 * `--- NAME ---` and `--- END OF NAME ---`, and everything behind the head of a forwarded message.
 * Ascending; a document that is not closed is none.
 */
export function* quotedRanges(text: string): Steps<readonly TextRange[]> {
  const ranges: TextRange[] = [];
  const lastEnds = new Map<string, number>();
  let closing: string | undefined;
  let opened = 0;
  let nextStep = 0;
  for (let start = 0; start < text.length;) {
    for (; nextStep <= start; nextStep += quotingStep) yield;
    const found = text.indexOf('\n', start);
    const next = found < 0 ? text.length : found + 1;
    const line = next - start > maxHeadCharacters ? '' : text.slice(start, next).trimEnd();
    if (closing !== undefined) {
      if (line.trim().startsWith(closing)) {
        ranges.push({ start: opened, end: next });
        closing = undefined;
      }
    } else if (forwarded.test(line)) {
      return [...ranges, { start, end: text.length }];
    } else {
      opened = start;
      closing = closingOf(line);
      if (closing !== undefined && !lastEnds.has(closing) && lastEnds.size < mostKinds)
        lastEnds.set(closing, text.lastIndexOf(closing));
      if ((lastEnds.get(closing ?? '') ?? -1) < next) closing = undefined;
    }
    start = next;
  }
  return ranges;
}

/** What ends the document that a line opens. */
function closingOf(line: string): string | undefined {
  const mark = fence.exec(line)?.[1];
  if (mark !== undefined) return mark;
  const tag = openTag.exec(line)?.[1];
  if (tag !== undefined) return `</${tag}>`;
  const name = heading.exec(line)?.[1];
  return name === undefined || name.startsWith('END ') ? undefined : `--- END OF ${name} ---`;
}
