import { isObject } from '../../util/is-object.ts';
import { InspectError } from './inspect-error.ts';
import { elementLines } from './element-lines.ts';

/** A message as a file holds it. */
export interface RawMessage {
  readonly value: unknown;
  /** Line of the file in which it begins, from 1. */
  readonly line: number;
}

/** A conversation as a file holds it. */
export interface RawConversation {
  readonly name: string;
  readonly messages: readonly RawMessage[];
}

const understood =
  'a list of messages, an object with messages, or such objects or messages as JSON lines';

/**
 * Reads the conversations of a file.
 *
 * @throws {InspectError} with the line, what was found and what is understood.
 */
export function parseFile(text: string): readonly RawConversation[] {
  const whole = tryParse(text);
  if ('value' in whole) return [conversationOf(whole.value, text, 1, 'conversation 1')];
  return parseLines(text, whole.error);
}

/** JSON lines: each a conversation, or all of them messages of one. */
function parseLines(text: string, whole: unknown): readonly RawConversation[] {
  const lines = text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((line) => line.text !== '');
  const values = lines.map(({ text: own, line }, index) => {
    const parsed = tryParse(own);
    if ('value' in parsed) return { value: parsed.value, line, text: own };
    const isLines = index > 0;
    throw isLines
      ? found(line, `no JSON (${messageOf(parsed.error)})`)
      : found(lineOf(whole) ?? line, `no JSON (${messageOf(whole)})`);
  });
  if (values.length === 0) throw found(1, 'an empty file');
  const areMessages = values.every(({ value }) => isObject(value) && 'role' in value);
  if (areMessages) return [{ name: 'conversation 1', messages: values }];
  return values.map(({ value, text: own, line }, index) =>
    conversationOf(value, own, line, `conversation ${index + 1}`),
  );
}

function conversationOf(value: unknown, text: string, line: number, name: string): RawConversation {
  const given = isObject(value) ? (value['messages'] ?? value['prompt']) : value;
  if (!Array.isArray(given)) throw found(line, describe(value));
  const id = isObject(value) ? (value['id'] ?? value['title']) : undefined;
  const lines = elementLines(text, isObject(value) ? ['messages', 'prompt'] : []);
  const system = isObject(value) && typeof value['system'] === 'string' ? value['system'] : '';
  const first = system === '' ? [] : [{ value: { role: 'system', content: system }, line }];
  const messages = given.map((each: unknown, index) => ({
    value: each,
    line: line - 1 + (lines[index] ?? 1),
  }));
  return { name: typeof id === 'string' ? id : name, messages: [...first, ...messages] };
}

type Parsed = { readonly value: unknown } | { readonly error: unknown };

function tryParse(text: string): Parsed {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error };
  }
}

function lineOf(error: unknown): number | undefined {
  const line = /\(line (\d+) column/.exec(messageOf(error))?.[1];
  return line === undefined ? undefined : Number(line);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What was found, in words, without its texts. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) {
    const names = Object.keys(value).slice(0, 6).join(', ');
    return names === '' ? 'an object without members' : `an object with ${names}`;
  }
  return value === null ? 'null' : `a ${typeof value}`;
}

export function found(line: number, what: string, allowed: string = understood): InspectError {
  return new InspectError(`line ${line}: found ${what}; understood: ${allowed}.`);
}
