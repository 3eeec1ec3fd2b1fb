import type { ModelMessage } from 'ai';
import { readMessages } from '../api/given-conversation.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import {
  describe,
  isItem,
  joinedMessages,
  listOf,
  modelMessages,
  type Fields,
} from './message-forms.ts';
import { CommandError } from './terminal.ts';

/** A conversation of a file, as a middleware sees it. */
export interface ReadConversation {
  readonly name: string;
  readonly prompt: readonly Message[];
}

/** A conversation as a file holds it. */
interface RawConversation {
  readonly name: string | undefined;
  readonly messages: readonly Placed[];
}

/** A value of a file, and where it stands there. */
interface Placed {
  readonly value: unknown;
  readonly place: string;
}

/**
 * Reads the conversations of a text, in whichever form they are written.
 *
 * @param file - What the text is called in errors.
 * @throws {CommandError} in one line: where, what was found and what is understood.
 */
export async function readConversations(
  text: string,
  file: string,
): Promise<readonly ReadConversation[]> {
  const named = file === '-' ? 'standard input' : file;
  const conversations: ReadConversation[] = [];
  for (const { name, messages } of conversationsIn(valuesOf(text, named))) {
    const own = name ?? `conversation ${conversations.length + 1}`;
    conversations.push({ name: own, prompt: await promptOf(own, messages) });
  }
  return conversations;
}

async function promptOf(name: string, given: readonly Placed[]): Promise<readonly Message[]> {
  const messages: ModelMessage[] = [];
  const toolNames = new Map<string, string>();
  for (const { value, place } of given)
    try {
      messages.push(...(await modelMessages(value, toolNames)));
    } catch (error) {
      throw found(place, messageOf(error));
    }
  try {
    return await readMessages(joinedMessages(messages));
  } catch (error) {
    throw new CommandError(`${name}: ${messageOf(error)}`);
  }
}

/** The one value of a JSON text, or those of JSON lines. */
function valuesOf(text: string, file: string): readonly Placed[] {
  const whole = parse(text);
  if (!('error' in whole)) return [{ ...whole, place: file }];
  const lines = text.split('\n').map((line, index) => ({ line, place: `line ${index + 1}` }));
  const filled = lines.filter(({ line }) => line.trim() !== '');
  if (filled.length === 0) throw found(file, 'nothing: it is empty');
  return filled.map(({ line, place }, index) => {
    const parsed = parse(line);
    if (!('error' in parsed)) return { ...parsed, place };
    // Where the first line is none, it is a text over several lines that has a mistake, or no JSON at all.
    const reason = index === 0 ? whole.error : parsed.error;
    throw found(index === 0 ? file : place, `no JSON (${reason})`);
  });
}

function parse(text: string): { readonly value: unknown } | { readonly error: string } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

function conversationsIn(values: readonly Placed[]): readonly RawConversation[] {
  const logged = values.map(({ value, place }) => ({ value: loggedIn(value), place }));
  if (logged.some(({ value }) => value !== undefined)) {
    const names = values.map(({ value }) => (isObject(value) ? nameOf(value) : undefined));
    const messages = logged.filter(({ value }) => value !== undefined);
    return [{ name: names.find((name) => name !== undefined), messages }];
  }
  if (values.every(({ value }) => isMessage(value))) return [{ name: undefined, messages: values }];
  return values.flatMap(({ value, place }) => {
    const isExport =
      Array.isArray(value) &&
      value.some((each) => !isMessage(each) && listedIn(each) !== undefined);
    return isExport
      ? value.map((each: unknown, index) => conversationOf(each, `element ${index + 1}`))
      : [conversationOf(value, place)];
  });
}

/** What a line of a session of Claude Code or Codex holds of the main conversation. */
function loggedIn(line: unknown): unknown {
  if (!isObject(line)) return undefined;
  const { type, message, payload, isSidechain } = line;
  if (type === 'response_item') return isMessage(payload) ? payload : undefined;
  const isSaid = (type === 'user' || type === 'assistant') && isMessage(message);
  return isSaid && isSidechain !== true ? message : undefined;
}

function isMessage(value: unknown): value is Fields {
  return isObject(value) && ('role' in value || isItem(value));
}

function conversationOf(value: unknown, place: string): RawConversation {
  const messages = Array.isArray(value) ? value : listedIn(value);
  if (messages === undefined) throw found(place, describe(value));
  return {
    name: isObject(value) ? nameOf(value) : undefined,
    messages: messages.map((each: unknown, index) => {
      const at = `message ${index + 1}`;
      return { value: each, place: place.startsWith('line') ? `${place}, ${at}` : at };
    }),
  };
}

/** The messages of an object: of a request, an answer, both, or what an application keeps. */
function listedIn(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const { messages, prompt, input, items, output } = value;
  const given = messages ?? prompt ?? input ?? items ?? output;
  const asked = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  if (!Array.isArray(asked)) return undefined;
  const instructions = value['system'] ?? value['instructions'];
  return [
    ...(instructions ? [{ role: 'system', content: instructions }] : []),
    ...asked,
    ...(given === output ? [] : listOf(output)),
  ];
}

function nameOf({ id, title, sessionId }: Fields): string | undefined {
  return [id, title, sessionId].find((name) => typeof name === 'string');
}

function found(place: string, what: string): CommandError {
  return new CommandError(
    `${place}: found ${what.replaceAll('\n', ' ')}; understood: messages of the AI SDK, OpenAI or Anthropic, as a list, an object or JSON lines.`,
  );
}
