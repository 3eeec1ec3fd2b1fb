import { cutAtWord, type ToolSummary, type ToolUse } from '../../tool-summary.ts';
import { fieldOf, ownProperty } from './fields.ts';
import { eachLine, firstLine } from './text-lines.ts';

/** What the line of a tool call is written from; without types, an extractor may leave the rest out. */
export type ToolFacts = Pick<ToolSummary, 'toolName' | 'status' | 'keyFacts'> &
  Partial<ToolSummary>;

/** What an extractor has read out of a tool call. */
export interface Findings {
  /** What the call asked for. */
  readonly asked: readonly string[];
  /** What the result says; not asked for when it failed. */
  readonly found?: (() => readonly string[]) | undefined;
  /**
   * Whether the call failed.
   * @default what the result says of itself
   */
  readonly failed?: boolean | undefined;
  /**
   * Whether what was asked for is not all there.
   * @default what the result says of itself
   */
  readonly isPartial?: boolean | undefined;
  /** The same for programs; what is `undefined` is left out. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

/** Puts what was asked in front of what was found, or of what went wrong. */
export function toolFacts(
  use: ToolUse,
  { asked, found = () => [], failed = saysFailed(use), isPartial = false, metadata = {} }: Findings,
): ToolFacts {
  const { toolName } = use;
  const known = Object.entries({ ...metadata, hasError: failed }).filter(
    ([, value]) => value !== undefined,
  );
  const told = { toolName, metadata: Object.fromEntries(known) };
  if (failed) return { ...told, status: 'error', keyFacts: [...asked, ...errorFacts(use)] };
  return {
    ...told,
    status: isPartial || saysPartial(use) ? 'partial' : 'success',
    keyFacts: [...asked, ...found()],
  };
}

/** A fact with its label, none without a value. */
export function fact(label: string, value: string | number | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [`${label}: ${value}`];
}

/** Characters of an error text that is not kept whole. */
const shortErrorCharacters = 120;

const errorWords =
  /\b(?:error|exception|traceback|fail(?:ed|ure)?|fatal|denied|not found|no such file|cannot|unable to|refused|panic)\b/i;
const countedNoErrors = /\b0 (?:errors?|fail(?:ed|ures?))\b/i;

/** The line that tells what went wrong. */
export function errorLine(output: string): string | undefined {
  let found: string | undefined;
  eachLine(output, (line) => {
    if (errorWords.test(line) && !countedNoErrors.test(line)) found = line.trim();
    return found === undefined;
  });
  return found;
}

/** Whether a result says of itself that it failed, whatever its type says. */
export function saysFailed({ isError, value, output }: ToolUse): boolean {
  if (isError) return true;
  const error = ownProperty(value, 'error');
  if (error !== undefined && error !== null && error !== false && error !== '') return true;
  if (ownProperty(value, 'isError') === true || ownProperty(value, 'success') === false)
    return true;
  const errors = ownProperty(value, 'errors');
  if (Array.isArray(errors) && errors.length > 0 && ownProperty(value, 'data') == null) return true;
  return /^\s*(?:error\b|traceback \()/i.test(output.slice(0, 200));
}

/** Whether a result says that it is not complete. */
function saysPartial({ output, value }: ToolUse): boolean {
  if (ownProperty(value, 'truncated') === true) return true;
  return /truncated|omitted|timed out|<response clipped>/i.test(output.slice(-400));
}

function firstOf(list: unknown): unknown {
  return Array.isArray(list) ? list[0] : undefined;
}

/** The fact about a failure: the whole error text, or its beginning. */
function errorFacts({ value, output, preserveErrorDetails }: ToolUse): readonly string[] {
  const text =
    fieldOf(value, ['error', 'message', 'stderr', 'reason']) ??
    fieldOf(ownProperty(value, 'error'), ['message', 'detail', 'code']) ??
    fieldOf(firstOf(ownProperty(value, 'errors')), ['message', 'detail', 'code']) ??
    output;
  const said = preserveErrorDetails
    ? text
    : cutAtWord(errorLine(text) ?? firstLine(text) ?? '', shortErrorCharacters);
  return fact('Error', said.trim());
}
