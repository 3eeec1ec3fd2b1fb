import type { ToolUse } from '../../tool-summary.ts';
import { fact, fieldOf, propertyOf } from './fields.ts';
import { eachLine, firstLine } from './text-lines.ts';

/** Characters of an error text that is not kept whole. */
const shortErrorCharacters = 120;

const errorWords =
  /\b(?:error|exception|traceback|fail(?:ed|ure)?|fatal|denied|not found|no such file|cannot|unable to|refused|panic)\b/i;
const countedNoErrors = /\b0 (?:errors?|fail(?:ed|ures?))\b/i;

/** Whether a result says of itself that it failed, whatever its type says. */
export function saysFailed({ isError, value, output }: ToolUse): boolean {
  if (isError) return true;
  const error = propertyOf(value, 'error');
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  if (propertyOf(value, 'isError') === true || propertyOf(value, 'success') === false) return true;
  return /^\s*(?:error\b|traceback \()/i.test(output.slice(0, 200));
}

/** Whether a result says that it is not complete. */
export function saysPartial({ output, value }: ToolUse): boolean {
  if (propertyOf(value, 'truncated') === true) return true;
  return /truncated|omitted|timed out|<response clipped>/i.test(output.slice(-400));
}

/** The line that tells what went wrong. */
export function errorLine(output: string): string | undefined {
  let found: string | undefined;
  eachLine(output, (line) => {
    if (errorWords.test(line) && !countedNoErrors.test(line)) found = line.trim();
    return found === undefined;
  });
  return found;
}

/** The fact about a failure: the whole error text, or its beginning. */
export function errorFacts(use: ToolUse): readonly string[] {
  const text =
    fieldOf(use.value, ['error', 'message', 'stderr', 'reason']) ??
    fieldOf(propertyOf(use.value, 'error'), ['message', 'detail', 'code']) ??
    use.output;
  const said = use.preserveErrorDetails
    ? text
    : (errorLine(text) ?? firstLine(text) ?? '').slice(0, shortErrorCharacters);
  return fact('Error', said.trim());
}
