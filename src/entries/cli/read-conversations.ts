import { convertToModelMessages, type UIMessage } from 'ai';
import { readMessages } from '../api/conversation-input.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import { messageOf } from '../../foundations/util/errors.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { parseJson } from '../../foundations/util/json.ts';

/** Something that the user of the command can mend: said in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

type Fields = Readonly<Record<string, unknown>>;

/** Values of a file, and where each stands in it. */
interface Listed {
  readonly values: readonly unknown[];
  readonly placeOf: (index: number) => string;
  readonly name?: string | undefined;
}

/** Content of a message, in parts that resemble those of the AI SDK. */
interface Said {
  readonly role: string;
  readonly parts: readonly Fields[];
}

/**
 * Reads the conversations of a text, in whichever form they are written, as a middleware sees them.
 *
 * @param file - Name of the text in errors.
 * @throws {CommandError} in one line: where, what was found and what is understood.
 */
export async function readConversations(
  text: string,
  file: string,
): Promise<readonly { readonly name: string; readonly prompt: readonly Message[] }[]> {
  const named = file === '-' ? 'standard input' : file;
  const found = conversationsIn(valuesOf(text, named));
  if (found.length === 0) throw refused(named, 'no messages');
  const reading = found.map(async (conversation, index) => ({
    name: conversation.name ?? `conversation ${index + 1}`,
    prompt: await promptOf(conversation, named),
  }));
  return Promise.all(reading);
}

/** The one value of a JSON text, or those of JSON lines. */
function valuesOf(text: string, file: string): Listed {
  const parsed = (json: string, place: string): unknown => {
    try {
      return JSON.parse(json);
    } catch (error) {
      throw refused(place, `no JSON (${messageOf(error)})`);
    }
  };
  const lines = text.split('\n');
  const [first, ...others] = lines.filter((line) => line.trim() !== '');
  if (first === undefined) throw refused(file, 'nothing: it is empty');
  // Where the first line is none, it is a text over several lines, or no JSON at all.
  if (others.length === 0 || parseJson(first) === undefined)
    return { values: [parsed(text, file)], placeOf: () => file };
  const placeOf = (index: number): string => `${file}, line ${index + 1}`;
  const values = lines.map((line, index) =>
    line.trim() === '' ? undefined : parsed(line, placeOf(index)),
  );
  return { values, placeOf };
}

/** Values of which some are messages are a conversation; of others each holds some. */
function conversationsIn(listed: Listed): readonly Listed[] {
  const { values, placeOf } = listed;
  const logged = values.map(loggedIn);
  if (logged.some((message) => message !== undefined)) {
    const name = values.map(nameOf).find((each) => each !== undefined);
    return [{ values: logged, placeOf, name }];
  }
  if (values.some(isMessage)) return [listed];
  return values.flatMap((value, index) => {
    if (value === undefined) return [];
    const inner = Array.isArray(value) ? value : listedIn(value);
    if (inner === undefined) throw refused(placeOf(index), describe(value));
    const placeIn = (place: number): string => `${placeOf(index)}, message ${place + 1}`;
    return conversationsIn({ values: inner, placeOf: placeIn, name: nameOf(value) });
  });
}

/** The part of a line in a session of Claude Code or Codex that belongs to the main conversation. */
function loggedIn(line: unknown): unknown {
  const { type, message, payload, isSidechain }: Fields = Object(line);
  if (type === 'response_item' && isMessage(payload)) return payload;
  const isSaid = (type === 'user' || type === 'assistant') && isMessage(message);
  return isSaid && isSidechain !== true ? message : undefined;
}

/** The messages of an object: of a request, an answer, both, or what an application keeps. */
function listedIn(value: unknown): readonly unknown[] | undefined {
  const fields: Fields = Object(value);
  const { messages, prompt, input, items, output, instructions, system = instructions } = fields;
  const given = messages ?? prompt ?? input ?? items ?? output;
  const asked = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  if (!Array.isArray(asked)) return undefined;
  const before = system ? [{ role: 'system', content: system }] : [];
  return [...before, ...asked, ...(given === output ? [] : listOf(output))];
}

function nameOf(value: unknown): string | undefined {
  const { id, title, sessionId }: Fields = Object(value);
  return [id, title, sessionId].find((name) => typeof name === 'string');
}

async function promptOf({ values, placeOf }: Listed, file: string): Promise<readonly Message[]> {
  const said: Said[] = [];
  let where = file;
  try {
    for (const [index, value] of values.entries()) {
      where = placeOf(index);
      if (value !== undefined) said.push(...(await readMessage(value)));
    }
    where = file;
    return await readMessages(joinedMessages(said));
  } catch (error) {
    throw refused(where, messageOf(error));
  }
}

/** Roles, and what they are called here. */
const roles: ReadonlyMap<unknown, string> = new Map([
  ...['system', 'user', 'assistant', 'tool'].map((role) => [role, role] as const),
  ['developer', 'system'],
]);

/**
 * Reads one message in whichever form it is written.
 *
 * @throws {Error} saying what was found where it is of no form that is understood.
 */
async function readMessage(message: unknown): Promise<readonly Said[]> {
  if (!isObject(message) || !isMessage(message)) throw new Error(describe(message));
  if (isOfPage(message)) {
    const converted = await convertToModelMessages([message]);
    return converted.map(({ role, content }) => ({ role, parts: [content].flat().map(partOf) }));
  }
  const { role: name = roleOfItem(message), content, tool_calls: calls } = message;
  const role = roles.get(name);
  if (role === undefined)
    throw new Error(`the role ${JSON.stringify(name)} (roles are ${[...roles.keys()].join(', ')})`);
  const { tool_call_id: call_id } = message;
  if (message['role'] === undefined) return [{ role, parts: [partOf(message)] }];
  if (call_id !== undefined)
    return [{ role, parts: [partOf({ type: 'tool_result', call_id, content })] }];
  const isSaid = typeof content === 'string' || Array.isArray(content) || content === null;
  if (!isSaid && calls === undefined)
    throw new Error(`${describe(message)}, whose content is ${describe(content)}`);
  const called = listOf(calls).map((call) => {
    const { function: of, id, ...rest } = Object(call);
    return { ...rest, ...of, type: 'function_call', call_id: id };
  });
  return [{ role, parts: [content ?? [], called].flat().map(partOf) }];
}

function isOfPage(message: Fields): message is Fields & UIMessage {
  return Array.isArray(message['parts']) && typeof message['role'] === 'string';
}

function isMessage(value: unknown): boolean {
  return isObject(value) && ('role' in value || roleOfItem(value) !== undefined);
}

/** Role of an item of OpenAI's Responses that has a type instead of a role. */
function roleOfItem({ role, type }: Fields): string | undefined {
  if (role !== undefined || typeof type !== 'string') return undefined;
  if (type.endsWith('_call_output')) return 'tool';
  return /^reasoning$|^compaction$|^mcp_|_call$/.test(type) ? 'assistant' : undefined;
}

function textPart(text: string): Fields {
  return { type: 'text', text };
}

const ownTypes =
  /^(?:text|reasoning|image|file|reasoning-file|custom|tool-(?:call|result|approval-\w+))$/;

/** Reads a part of a message in the forms of the AI SDK, OpenAI and Anthropic; of another kind its name stays. */
function partOf(part: unknown): Fields {
  if (typeof part === 'string') return textPart(part);
  if (!isObject(part) || typeof part['type'] !== 'string')
    throw new Error(`${describe(part)} as a part of a message`);
  const { type, name, source, file, summary, thinking = textIn(listOf(summary)) } = part;
  // Others have pictures, files and texts too, those in other shapes.
  if (ownTypes.test(type) && !isObject(source ?? file) && summary === undefined) return part;
  if (type === 'thinking' || type === 'reasoning')
    return { type: 'reasoning', text: textOf(thinking) };
  const { id, call_id, tool_use_id, arguments: args, input = args ?? {}, output = '' } = part;
  const toolCallId = textOf(tool_use_id ?? call_id ?? id);
  if (type === 'tool_use' || type === 'function_call' || type === 'custom_tool_call') {
    const read = typeof input === 'string' ? (parseJson(input) ?? { input }) : input;
    return { type: 'tool-call', toolCallId, toolName: textOf(name), input: read };
  }
  if (type === 'tool_result' || type.endsWith('_call_output')) {
    const { content = output } = part;
    const value = Array.isArray(content) ? textIn(content) : textOf(content);
    return { type: 'tool-result', toolCallId, output: { type: 'text', value } };
  }
  return fileIn(part) ?? textPart(textIn([part]));
}

/** A file from wherever each form keeps it: an address, a data URL or base64. */
function fileIn(part: Fields): Fields | undefined {
  const { source, image_url, file, input_audio } = part;
  const holder = [source, image_url, file, input_audio].find(isObject) ?? part;
  const { data, url, image_url: address, file_url, file_data } = holder;
  const given = [data, url, address, file_url, file_data].find((each) => typeof each === 'string');
  if (given === undefined) return undefined;
  if (holder['type'] === 'text') return textPart(given);
  const usual = String(part['type']).includes('image') ? 'image/png' : 'application/octet-stream';
  const mediaType = textOf(holder['media_type'] ?? usual);
  return { type: 'file', mediaType, data: URL.canParse(given) ? new URL(given) : given };
}

/**
 * Messages as the SDK takes them: consecutive parts of an answer are one message, the results of its calls follow it,
 * with an empty result for a call without one. Results without a call are dropped.
 */
function joinedMessages(said: readonly Said[]): readonly Fields[] {
  const isResult = (role: string, { type }: Fields): boolean =>
    role !== 'assistant' && type === 'tool-result';
  const results = Map.groupBy(
    said.flatMap(({ role, parts }) => parts.filter((part) => isResult(role, part))),
    ({ toolCallId }) => toolCallId,
  );
  const messages: { readonly role: string; readonly content: Fields[] }[] = [];
  for (const [index, { role, parts }] of said.entries()) {
    const others = parts.filter((part) => !isResult(role, part));
    const goesOn = role === 'assistant' && said[index - 1]?.role === role;
    if (goesOn) messages.at(-1)?.content.push(...others);
    else messages.push({ role, content: others });
  }
  return messages.flatMap(({ role, content }): readonly Fields[] => {
    if (content.length === 0) return [];
    if (role === 'system') return [{ role, content: textIn(content) }];
    const answers = content.flatMap(({ type, toolCallId, toolName, providerExecuted }) => {
      if (type !== 'tool-call' || providerExecuted === true) return [];
      const { output = { type: 'text', value: '' } } = results.get(toolCallId)?.shift() ?? {};
      return [{ type: 'tool-result', toolCallId, toolName, output }];
    });
    return [{ role, content }, ...(answers.length > 0 ? [{ role: 'tool', content: answers }] : [])];
  });
}

/** The texts of parts; of a part without one its kind, in brackets. */
function textIn(parts: readonly unknown[]): string {
  const texts = parts
    .filter(isObject)
    .map(({ type, text, refusal }) => text ?? refusal ?? `[${textOf(type)}]`);
  return texts.map(textOf).join('\n');
}

/** A string, or the JSON of what is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The elements of a list; none of what is no list. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Describes the findings, without texts of the conversation. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === null || value === undefined) return 'nothing';
  if (!isObject(value)) return `a ${typeof value}`;
  return `an object with ${Object.keys(value).slice(0, 6).join(', ') || 'no members'}`;
}

function refused(place: string, what: string): CommandError {
  return new CommandError(
    `${place}: found ${what.replaceAll('\n', ' ')}; understood: messages of the AI SDK, OpenAI or Anthropic, as a list, an object or JSON lines.`,
  );
}
