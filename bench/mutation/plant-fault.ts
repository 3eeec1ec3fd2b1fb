import type { Fault } from './fault.ts';
import { isProgram } from './is-program.ts';

/**
 * The content of a file with one fault in it. An expression goes into parentheses, since what stands around it may bind
 * closer than what it has become; a block or a case of a `switch` cannot.
 *
 * @throws {Error} when the result is no program: a test would fail because of that and not of the fault.
 */
export function plantFault(content: string, fault: Fault): string {
  const { start, end, original, replacement, mutator } = fault;
  if (content.slice(start, end) !== original)
    throw new Error(`${fault.file} has changed since its faults were listed.`);
  const replacedBy = (text: string): string => content.slice(0, start) + text + content.slice(end);
  // `() => {}` in parentheses would be a program too, and another one.
  const forms = mutator === 'BlockStatement' ? [replacement] : [`(${replacement})`, replacement];
  const planted = forms.map(replacedBy).find(isProgram);
  if (planted === undefined)
    throw new Error(`${fault.file}:${fault.line} is no program with ${replacement} in it.`);
  return planted;
}
