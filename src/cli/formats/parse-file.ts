import { isObject } from '../../util/is-object.ts';
import { CommandError } from '../command/command-error.ts';
import { messageOf } from '../../util/errors.ts';
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
 * @throws {CommandError} with the line, what was found and what is understood.
 */
export function parseFile(text: string): readonly RawConversation[] {
  const values = parseValues(text, understood);
  const areMessages =
    values.length > 1 && values.every(({ value }) => isObject(value) && 'role' in value);
  if (areMessages) return [{ name: 'conversation 1', messages: values }];
  return values.map((value, index) => conversationOf(value, `conversation ${index + 1}`));
}

/** A value of a file, with its text and the line in which it begins, from 1. */
export interface RawValue extends RawMessage {
  readonly text: string;
}

/**
 * The one value of a JSON text, or those of JSON lines.
 *
 * @throws {CommandError} with the line that is neither.
 */
export function parseValues(text: string, allowed: string): readonly RawValue[] {
  const whole = tryParse(text);
  if ('value' in whole) return [{ value: whole.value, text, line: 1 }];
  const lines = text
    .split('\n')
    .map((line, index) => ({ text: line.trim(), line: index + 1 }))
    .filter((line) => line.text !== '');
  if (lines.length === 0) throw found(1, 'an empty file', allowed);
  return lines.map(({ text: own, line }, index) => {
    const parsed = tryParse(own);
    if ('value' in parsed) return { value: parsed.value, line, text: own };
    const isLines = index > 0;
    throw isLines
      ? found(line, `no JSON (${messageOf(parsed.error)})`, allowed)
      : found(lineOf(whole.error) ?? line, `no JSON (${messageOf(whole.error)})`, allowed);
  });
}

/**
 * A conversation as a list of messages, or as an object with them.
 *
 * @throws {CommandError} where it is neither.
 */
export function conversationOf({ value, text, line }: RawValue, name: string): RawConversation {
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

/** What was found, in words, without its texts. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) {
    const names = Object.keys(value).slice(0, 6).join(', ');
    return names === '' ? 'an object without members' : `an object with ${names}`;
  }
  return value === null ? 'null' : `a ${typeof value}`;
}

export function found(line: number, what: string, allowed: string = understood): CommandError {
  return new CommandError(`line ${line}: found ${what}; understood: ${allowed}.`);
}
