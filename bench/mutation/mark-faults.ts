import type { Fault } from './fault.ts';
import { isProgram } from './is-program.ts';

/** A fault and its number in the draw. */
export interface NumberedFault {
  readonly number: number;
  readonly fault: Fault;
}

/** The content of a file that says of each of its faults when it is reached, and does what it did before. */
export function markFaults(content: string, faults: readonly NumberedFault[]): string {
  let marked: readonly NumberedFault[] = [];
  for (const candidate of faults) {
    // Parentheses would end an optional chain before its end.
    if (candidate.fault.original.includes('?.')) continue;
    const more = [...marked, candidate];
    if (isProgram(insertMarks(content, more))) marked = more;
  }
  return insertMarks(content, marked);
}

function insertMarks(content: string, faults: readonly NumberedFault[]): string {
  const inserts = faults.flatMap(({ number, fault: { start, end } }) => [
    { at: start, text: `(globalThis.reachFault?.(${number}), ` },
    { at: end, text: ')' },
  ]);
  return inserts
    .toSorted((one, other) => other.at - one.at)
    .reduce(
      (text, insert) => text.slice(0, insert.at) + insert.text + text.slice(insert.at),
      content,
    );
}
