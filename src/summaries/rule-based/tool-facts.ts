import type { LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import { isOptionsObject, type OptionRule, rule } from '../../foundations/checks/option-rule.ts';
import { type Redact, makeRedactor } from '../../prompt/cleaning/redactor.ts';
import { visibleText } from '../../prompt/cleaning/visible-text.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import { synchronousAnswer } from '../../foundations/util/async/callbacks.ts';
import { yieldToEventLoop } from '../../foundations/util/async/waiting.ts';
import { readableCopy } from '../../foundations/util/json.ts';
import { cutOutput } from '../strategies/failure-line.ts';
import { outputText, parsedJson } from '../messages/read-messages.ts';
import type {
  ToolExtractors,
  ToolResultOptions,
  ToolSummary,
  ToolUse,
} from '../strategies/summary-strategy.ts';
import { cutAtWord, inlineText } from '../strategies/texts.ts';
import { factsOfFile, factsOfSearch, pathNames } from './file-facts.ts';
import { errorTextOf, fieldOf, outcomeOf, ownProperty } from './tool-outcome.ts';

/** The marks of outcomes. */
const statusMarks = { success: '✓ ', error: '❌ ', partial: '◐ ', unknown: '' } as const;

/** Characters of one line; only whole error texts are longer. */
const maxFactCharacters = 160;

/** Characters of an error text that is kept whole. */
const maxErrorCharacters = 2000;

/** Characters of a fact that are read: tidying makes it shorter. */
const maxReadCharacters = 4 * maxErrorCharacters;

/**
 * Writes the line that stands for a tool call: `[✓ read_file: File: a.ts | Lines: 120]`, without a mark if the status
 * is unknown.
 */
export function renderToolSummary({ toolName, status, keyFacts }: ToolSummary): string {
  const facts = keyFacts.map((fact) => {
    const isWhole = status === 'error' && fact.startsWith('Error: ');
    const text = inlineText(visibleText(fact.slice(0, maxReadCharacters)));
    return cutAtWord(text, isWhole ? maxErrorCharacters : maxFactCharacters);
  });
  const name = inlineText(toolName.slice(0, maxFactCharacters));
  const done = facts.filter(Boolean).join(' | ');
  return `[${statusMarks[status]}${name}${done === '' ? '' : `: ${done}`}]`;
}

/** The rule of the option `extractors`. */
export const extractorsRule: OptionRule<ToolExtractors> = rule(
  'an object of functions by tool name',
  (value) =>
    isOptionsObject(value) && Object.values(value).every((each) => typeof each === 'function'),
);

/** A tool call without its result. */
export type ToolCall = Pick<ToolUse, 'toolName' | 'input'>;

/** A tool call with its result and position. */
export interface PlacedToolUse {
  readonly use: ToolUse;
  /** Position of the result's message. */
  readonly index: number;
}

/** Joins the calls of messages with their results. */
export async function toolUses(
  messages: readonly Message[],
  options: ToolResultOptions,
  redact?: Redact,
): Promise<readonly PlacedToolUse[]> {
  const calls = new Map<string, ToolCall>();
  const uses: PlacedToolUse[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' && message.role !== 'tool') continue;
    for (const part of message.content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (part.type !== 'tool-result') continue;
      uses.push({ use: toolUse(calls.get(part.toolCallId), part, options, redact), index });
      await yieldToEventLoop();
    }
  }
  return uses;
}

/** Reads a result together with its call. */
function toolUse(
  call: ToolCall | undefined,
  { toolName, output }: LanguageModelV4ToolResultPart,
  { preserveErrorDetails = true }: ToolResultOptions,
  redact?: Redact,
): ToolUse {
  const clean = makeRedactor(redact);
  // The written line is cleaned in the end: values are copied only if `redact` has to find texts before they are cut.
  const cleanValue = (value: unknown): unknown =>
    clean === visibleText || value === undefined ? value : readableCopy(value, clean);
  // JSON is parsed before it is cleaned: its escapes would hide texts from `redact`.
  const given = call?.input;
  const input = parsedJson(given) ?? given;
  const value = valueOf(output);
  return {
    toolName: clean(toolName),
    input: cleanValue(input),
    output: outputText(output, { clean, isPlain: true }),
    value: cleanValue(value),
    isError: output.type.startsWith('error') || output.type === 'execution-denied',
    preserveErrorDetails,
  };
}

/** Returns the JSON value of an output: its own, or that of its only text. */
function valueOf(output: LanguageModelV4ToolResultPart['output']): unknown {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return parsedJson(output.value);
    case 'json':
    case 'error-json':
      return output.value;
    case 'content': {
      const [part, ...others] = output.value;
      return part?.type === 'text' && others.length === 0 ? parsedJson(part.text) : undefined;
    }
    default:
      return undefined;
  }
}

/**
 * Replaces the output of a tool by its line of facts, `[✓ read_file: File: a.ts | Lines: 120]`. Ids, names and the kind
 * of output stay: text remains text, JSON a JSON string, an error an error.
 *
 * @param call - The call that was answered; without it, facts that only the call has are missing.
 * @returns The same part when the line would not be shorter.
 */
export function condenseToolResult(
  call: ToolCall | undefined,
  part: LanguageModelV4ToolResultPart,
  options: ToolResultOptions = {},
): LanguageModelV4ToolResultPart {
  const { output } = part;
  const use = toolUse(call, part, options);
  const line = renderToolSummary(toolFactsOf(use, options.extractors));
  const hasFile = output.type === 'content' && output.value.some(({ type }) => type !== 'text');
  if (line.length >= use.output.length && !hasFile) return part;
  if (output.type === 'content')
    return { ...part, output: { ...output, value: [{ type: 'text', text: line }] } };
  return output.type === 'execution-denied'
    ? part
    : { ...part, output: { ...output, value: line } };
}

/** Subjects of calls, by the names that tools give their arguments, with labels for counts of the answer. */
const commandNames = 'command commands cmd script'.split(' ');
const patternNames = 'pattern query regex glob search_term'.split(' ');
const subjects = [
  { label: 'Command', kind: 'command', counted: 'Output lines', names: commandNames },
  { label: 'Pattern', kind: 'content', counted: 'Matches', names: patternNames },
  { label: 'File', kind: 'content', counted: 'Lines', names: pathNames },
] as const;

/** Names of arguments with the text that is written to a file, and with the text that is replaced there. */
const writtenNames =
  'content contents file_text text new_str new_string newString newText replace'.split(' ');
const replacedNames = ['old_str', 'old_string', 'oldString', 'oldText', 'search'];

/** Names of fields with the text of a JSON answer, and with its list. */
const textNames = ['stdout', 'output', 'content', 'stderr'];
const listNames = ['matches', 'results', 'files', 'items'];

const shownCommand = 120;
const shownValue = 60;
const mostFacts = 8;
const mostFields = 200;

/** Values of an editor's argument `command`, which are no commands of a shell. */
const editing =
  /^(?:view|read|open|create|write|insert|append|edit|replace|str_replace|undo_edit|delete|list)$/;

/**
 * Applies the caller's extractor for a tool, else reads plain facts from the call's arguments and its result, also if
 * an extractor throws or gives no summary at once.
 */
export function toolFactsOf(use: ToolUse, extractors: ToolExtractors = {}): ToolSummary {
  try {
    const plain = plainName(use.toolName);
    const [, extract] =
      Object.entries(extractors).find(([name]) => plainName(name) === plain) ?? [];
    const facts = synchronousAnswer(extract?.(use));
    if (isSummary(facts)) return facts;
  } catch {}
  return plainFacts(use);
}

/** Lists the request, then how it ended, and what was written, counted or answered, or what went wrong. */
function plainFacts(use: ToolUse): ToolSummary {
  const { toolName, input } = use;
  const all = subjects.flatMap((subject) => {
    const said = fieldOf(input, subject.names);
    return said === undefined ? [] : [{ ...subject, said }];
  });
  const file = all.find(({ label }) => label === 'File');
  const isEdited = file !== undefined && editing.test(all[0]?.said ?? '');
  const change = file && changeOf(input);
  const asked = isEdited ? [file, ...all.filter((each) => each !== file)] : all;
  const about = file && change ? [file] : asked;
  const [subject] = about;
  const kind = change === undefined ? (subject?.kind ?? 'other') : 'change';
  const outcome = outcomeOf(use, kind);
  const { exitCode, failure } = outcome;
  const hasFailed = outcome.status === 'error';
  const answer = answerOf(use, subject);
  const isPartial = change === undefined && (saysPartial(use) || answer.isEmpty);
  const keyFacts = [
    ...about.map(({ label, said }) => `${label}: ${cutAtWord(said, shownCommand)}`),
    ...(about.length === 0 ? scalarsOf(input).slice(0, mostFacts / 2) : []),
    ...(exitCode === undefined ? [] : [`Exit: ${exitCode}`]),
    ...(hasFailed ? errorFacts(use, failure) : failure === undefined ? [] : [`Error: ${failure}`]),
    ...(hasFailed ? [] : change === undefined ? answer.found : [change]),
  ];
  const status = !hasFailed && isPartial ? 'partial' : outcome.status;
  const facts = [...new Set(keyFacts)].filter(Boolean).slice(0, mostFacts);
  return { toolName, status, keyFacts: facts };
}

/** Counts the lines that a call writes to its file, and removes. */
function changeOf(input: unknown): string | undefined {
  const written = fieldOf(input, writtenNames);
  const replaced = fieldOf(input, replacedNames);
  if (replaced !== undefined)
    return `Change: +${countLines(written ?? '')} -${countLines(replaced)} lines`;
  return written && `Lines written: ${countLines(written)}`;
}

/** Reads an answer: to a known subject the number of lines or entries, else its fields or its first line. */
function answerOf(
  { value, output }: ToolUse,
  subject: ((typeof subjects)[number] & { readonly said: string }) | undefined,
): { readonly found: readonly string[]; readonly isEmpty: boolean } {
  const list = [value, ...listNames.map((name) => ownProperty(value, name))].find(Array.isArray);
  const isSearch = subject?.label === 'Pattern';
  if (isSearch && list !== undefined)
    return {
      found: [`${subject.counted}: ${list.length}`, ...factsOfSearch('', list)],
      isEmpty: list.length === 0,
    };
  const text = fieldOf(value, textNames) ?? (value === undefined ? output : undefined);
  if (text === undefined || (subject === undefined && value !== undefined))
    return { found: scalarsOf(value), isEmpty: false };
  const isEmpty = isSearch && /^\s*(?:no (?:matches|results|files)\b|$)/i.test(text);
  const lines = isEmpty ? 0 : countLines(text);
  const first = cutAtWord(/\S.*/.exec(text)?.[0] ?? '', shownValue);
  if (subject === undefined)
    return { found: lines > 1 ? [first, `Lines: ${lines}`] : [first], isEmpty };
  const told = {
    Command: () => (first === '' ? [] : [`First: ${first}`]),
    Pattern: () => factsOfSearch(text, undefined),
    File: () => factsOfFile(subject.said, text),
  };
  return { found: [`${subject.counted}: ${lines}`, ...told[subject.label]()], isEmpty };
}

/** Lists the short values of an object with their names, or the length of a list and its first entries. */
function scalarsOf(value: unknown): readonly string[] {
  if (typeof value === 'string' || typeof value === 'number')
    return [cutAtWord(String(value), shownValue)];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value;
    return [
      `Items: ${entries.length}`,
      ...entries
        .slice(0, 2)
        .filter((entry) => !Array.isArray(entry))
        .flatMap(scalarsOf),
    ];
  }
  // A map may have a hundred thousand fields, and eight facts are told.
  const entries = Object.entries(value).slice(0, mostFields);
  return entries.flatMap(([key, entry]) => {
    if (Array.isArray(entry)) return [`${key}: ${entry.length} items`];
    const isScalar = ['string', 'number', 'boolean'].includes(typeof entry);
    return isScalar ? [`${key}: ${cutAtWord(String(entry), shownValue)}`] : [];
  });
}

/** Whether a result says that it is not complete. */
function saysPartial({ output, value }: ToolUse): boolean {
  // `truncated: false` says the opposite.
  const signs = /truncated(?!"?\s*:\s*false)|omitted|timed out/i;
  return ownProperty(value, 'truncated') === true || signs.test(output.slice(-400));
}

/** States the error: its whole text, or the line that names it. */
function errorFacts(use: ToolUse, failure: string | undefined): readonly string[] {
  const { value, output, preserveErrorDetails } = use;
  const text = (errorTextOf(value) ?? output).trim();
  const said = preserveErrorDetails
    ? cutOutput(text, maxErrorCharacters)
    : cutAtWord(failure ?? text.split('\n', 1)[0] ?? '', shownCommand);
  return said === '' ? [] : [`Error: ${said}`];
}

function plainName(toolName: string): string {
  return toolName
    .toLowerCase()
    .replace(/_\d{6,8}$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}

function isSummary(value: unknown): value is ToolSummary {
  if (typeof value !== 'object' || value === null) return false;
  const { toolName, status, keyFacts }: Partial<Record<keyof ToolSummary, unknown>> = value;
  return (
    typeof toolName === 'string' &&
    Object.hasOwn(statusMarks, String(status)) &&
    Array.isArray(keyFacts) &&
    keyFacts.every((fact) => typeof fact === 'string')
  );
}

/** Counts the lines of a text, except a last empty one. */
function countLines(text: string): number {
  return text === '' ? 0 : 1 + (text.match(/\n(?=[^])/g)?.length ?? 0);
}
