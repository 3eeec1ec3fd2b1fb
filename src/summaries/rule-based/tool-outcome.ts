import { findFailureLine } from '../strategies/failure-line.ts';
import { parsedJson } from '../messages/read-messages.ts';
import type { ToolUse } from '../strategies/summary-strategy.ts';
import { textsIn } from '../strategies/texts.ts';

/**
 * Kind of a tool's answer: the output of a command; the content that a read or a search asked for; the report of a
 * change by a write or an edit; or anything else.
 */
export type AnswerKind = 'command' | 'content' | 'change' | 'other';

const isThing = (kind: AnswerKind): boolean => kind === 'content' || kind === 'change';

/** How a call ended, as far as its answer says so. */
export interface Outcome {
  /** `unknown`: the answer shows no success, or success and failure side by side. */
  readonly status: 'success' | 'error' | 'unknown';
  readonly exitCode: number | undefined;
  /** The first line that states a failure. */
  readonly failure: string | undefined;
}

/** Reads how a call ended. */
export function outcomeOf(use: ToolUse, kind: AnswerKind): Outcome {
  const levels = levelsOf(use.value);
  const text = use.value === undefined ? use.output : textsIn(use.value).join('\n');
  const exitCode = exitCodeOf(text, levels, kind);
  const stated = findFailureLine(text);
  const isEvident = exitCode === 0 || levels.some((level) => saysSucceeded(level, kind));
  const isAbout = kind === 'command' || kind === 'change' || stated?.isFirst === true;
  const hasFailed =
    use.isError ||
    (exitCode ?? 0) !== 0 ||
    levels.some((level) => saysFailed(level, kind)) ||
    (stated !== undefined && isAbout && !isEvident);
  const hasSucceeded = stated === undefined && (isEvident || isThing(kind));
  const status = hasFailed ? 'error' : hasSucceeded ? 'success' : 'unknown';
  return { status, exitCode, failure: stated?.line };
}

/** Fields that wrap the answer of a tool, and the most parts of content that are read. */
const wrappers = ['result', 'structuredContent', 'metadata', 'output'];
const mostParts = 20;

/** Lists the texts of MCP content. */
function mcpTexts(value: unknown): readonly unknown[] {
  const content = ownProperty(value, 'content');
  const parts: readonly unknown[] = Array.isArray(content) ? content.slice(0, mostParts) : [];
  return parts.map((part) => ownProperty(part, 'text'));
}

/** Lists the objects that may say how a call ended: its answer, objects wrapped in it, and JSON in its MCP content. */
function levelsOf(value: unknown): readonly object[] {
  const texts = mcpTexts(value).map(parsedJson);
  const wrapped = wrappers.map((name) => ownProperty(value, name));
  return [value, ...wrapped, ...texts].filter(
    (level) => typeof level === 'object' && level !== null,
  );
}

const codeNames =
  'exitCode exit_code exitcode exitStatus exit_status returncode returnCode return_code'.split(' ');

/** Names of fields that hold an exit code beside the output of a command, and other things elsewhere. */
const looseCodeNames = ['code', 'status'];

/** Characters at the beginning and the end of an output in which an exit code is looked for. */
const lookedAt = 300;

const codeInText =
  /(?:exit(?:ed)?|return)(?: with)?[ _]?(?:code|status)?[:=()<>"' ]{1,4}(-?\d{1,5})\b/i;

/** A line that says nothing but an exit code, after other words of the process. */
const codeLine =
  /^\W{0,4}(?:\w{1,12} ){0,4}exit(?:ed)?(?: with)?[ _]?(?:code|status)?[:=()<>"' ]{1,4}(-?\d{1,5})\W{0,4}$/i;

function exitCodeOf(text: string, levels: readonly object[], kind: AnswerKind): number | undefined {
  for (const level of levels) {
    const isOfCommand = kind === 'command' || ['stdout', 'stderr'].some((name) => name in level);
    const said = fieldOf(level, isOfCommand ? [...codeNames, ...looseCodeNames] : codeNames);
    if (said !== undefined && /^-?\d{1,10}$/.test(said)) return Number(said);
  }
  const [end, start] = [text.slice(-lookedAt).trim(), text.slice(0, lookedAt).trim()];
  // Content that was read may mention the exit codes of others.
  const places = isThing(kind) ? [end.split('\n').at(-1), start.split('\n')[0]] : [end, start];
  const found = places.map((place = '') => (isThing(kind) ? codeLine : codeInText).exec(place));
  const [, code] = found.find((match) => match !== null) ?? [];
  return code === undefined ? undefined : Number(code);
}

const errorNames = ['error', 'message', 'stderr', 'reason', 'detail'];

function saysFailed(level: object, kind: AnswerKind): boolean {
  if (ownProperty(level, 'error') || ownProperty(level, 'isError') === true) return true;
  if (['success', 'ok'].some((name) => ownProperty(level, name) === false)) return true;
  const status = statusOf(level, kind);
  // A successful read may show a payment that failed.
  const isSaid = fieldOf(level, errorNames) !== undefined;
  return status === 'error' || Number(status) >= 400 || (isSaid && /^fail(?:ed|ure)$/.test(status));
}

function saysSucceeded(level: object, kind: AnswerKind): boolean {
  if (['success', 'ok'].some((name) => ownProperty(level, name) === true)) return true;
  return /^(?:ok|success|succeeded|successful|completed?|done|passed|2\d\d)$/.test(
    statusOf(level, kind),
  );
}

function statusOf(level: object, kind: AnswerKind): string {
  const status = fieldOf(level, ['status', 'statusCode', 'status_code']) ?? '';
  return kind === 'command' && /^\d/.test(status) ? '' : status.toLowerCase();
}

/** Finds the text of an error in the fields for it. */
export function errorTextOf(value: unknown): string | undefined {
  for (const level of levelsOf(value)) {
    const text = fieldOf(level, errorNames) ?? fieldOf(ownProperty(level, 'error'), errorNames);
    if (text !== undefined) return text;
  }
  const texts = mcpTexts(value).filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join('\n');
}

/** Finds the first text or number among some fields of a value, as text. */
export function fieldOf(value: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const field = ownProperty(value, name);
    if (typeof field === 'string' && field !== '') return field;
    if (typeof field === 'number') return String(field);
    if (Array.isArray(field) && field.length > 0 && field.every((item) => typeof item === 'string'))
      return field.join(' ');
  }
  return undefined;
}

export function ownProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
