import { convertToModelMessages, type UIMessage } from 'ai';
import { readMessages } from '../api/given-conversation.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import { parseJson } from '../util/json.ts';

/** Something that the user of the command can mend: said in one line, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

type Fields = Readonly<Record<string, unknown>>;

/** A value of a file, and where it stands there. */
interface Placed {
  readonly value: unknown;
  readonly place: string;
}

/** What a message says, in parts as the AI SDK has them, nearly. */
interface Said {
  readonly role: string;
  readonly parts: readonly Fields[];
}

/**
 * Reads the conversations of a text, in whichever form they are written, as a middleware sees them.
 *
 * @param file - What the text is called in errors.
 * @throws {CommandError} in one line: where, what was found and what is understood.
 */
export async function readConversations(
  text: string,
  file: string,
): Promise<readonly { readonly name: string; readonly prompt: readonly Message[] }[]> {
  const named = file === '-' ? 'standard input' : file;
  const found = conversationsIn(valuesOf(text, named), named);
  if (found.length === 0) throw refused(named, 'no messages');
  const reading = found.map(async ({ name = '', messages }, index) => {
    const own = name === '' ? `conversation ${index + 1}` : name;
    return { name: own, prompt: await promptOf(own, messages) };
  });
  return Promise.all(reading);
}

/** The one value of a JSON text, or those of JSON lines. */
function valuesOf(text: string, file: string): readonly Placed[] {
  const parse = (json: string, place: string): unknown => {
    try {
      return JSON.parse(json);
    } catch (error) {
      throw refused(place, `no JSON (${messageOf(error)})`);
    }
  };
  const lines = text.split('\n').map((line, index) => ({ line, place: `line ${index + 1}` }));
  const filled = lines.filter(({ line }) => line.trim() !== '');
  const [first, ...more] = filled;
  if (first === undefined) throw refused(file, 'nothing: it is empty');
  // Where the first line is none, it is a text over several lines, or no JSON at all.
  if (more.length === 0 || parseJson(first.line) === undefined)
    return [{ value: parse(text, file), place: '' }];
  return filled.map(({ line, place }) => ({ value: parse(line, place), place }));
}

/** A conversation as a file holds it. */
interface RawConversation {
  readonly name: string | undefined;
  readonly messages: readonly Placed[];
}

/** Values of which some are messages are a conversation; of others each holds some. */
function conversationsIn(
  values: readonly Placed[],
  file: string,
  name?: string,
): readonly RawConversation[] {
  const logged = values.flatMap(({ value, place }) => {
    const message = loggedIn(value);
    return message === undefined ? [] : [{ value: message, place }];
  });
  if (logged.length > 0)
    return [{ name: values.map(nameOf).find((each) => each !== undefined), messages: logged }];
  if (values.some(({ value }) => isMessage(value))) return [{ name, messages: values }];
  return values.flatMap((each) => {
    const { value, place } = each;
    const inner = Array.isArray(value) ? value : listedIn(value);
    if (inner === undefined) throw refused(place || file, describe(value));
    const [before, kind] = [place && `${place}, `, inner.some(isMessage) ? 'message' : 'element'];
    return conversationsIn(
      inner.map((one: unknown, index) => ({ value: one, place: `${before}${kind} ${index + 1}` })),
      file,
      nameOf(each),
    );
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

/** The messages of an object: of a request, an answer, both, or what an application keeps. */
function listedIn(value: unknown): readonly unknown[] | undefined {
  if (!isObject(value)) return undefined;
  const { messages, prompt, input, items, output, instructions, system = instructions } = value;
  const given = messages ?? prompt ?? input ?? items ?? output;
  const asked = typeof given === 'string' ? [{ role: 'user', content: given }] : given;
  if (!Array.isArray(asked)) return undefined;
  return [
    ...(system ? [{ role: 'system', content: system }] : []),
    ...asked,
    ...(given === output ? [] : listOf(output)),
  ];
}

function nameOf({ value }: Placed): string | undefined {
  const { id, title, sessionId } = isObject(value) ? value : {};
  return [id, title, sessionId].find((name) => typeof name === 'string');
}

async function promptOf(name: string, given: readonly Placed[]): Promise<readonly Message[]> {
  const said: Said[] = [];
  for (const { value, place } of given)
    try {
      said.push(...(await readMessage(value)));
    } catch (error) {
      throw refused(place, messageOf(error));
    }
  try {
    return await readMessages(joinedMessages(said));
  } catch (error) {
    throw new CommandError(`${name}: ${messageOf(error)}`);
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
  if (!isObject(message)) throw new Error(describe(message));
  if (isOfPage(message)) {
    const converted = await convertToModelMessages([message]);
    return converted.map(({ role, content }) => ({ role, parts: partsOf(content) }));
  }
  const { role: name = roleOfItem(message), content, tool_calls: calls } = message;
  if (name === undefined) throw new Error(describe(message));
  const role = roles.get(name);
  if (role === undefined)
    throw new Error(`the role ${JSON.stringify(name)} (roles are ${[...roles.keys()].join(', ')})`);
  if (message['role'] === undefined) return [{ role, parts: [partOf(message)] }];
  const { tool_call_id: answered } = message;
  if (answered !== undefined)
    return [{ role, parts: [partOf({ type: 'tool_result', call_id: answered, content })] }];
  const isSaid = typeof content === 'string' || Array.isArray(content) || content === null;
  if (!isSaid && calls === undefined)
    throw new Error(`${describe(message)}, whose content is ${describe(content)}`);
  const called = listOf(calls).map((call) => {
    const { function: of, id: call_id, ...rest } = Object(call);
    return partOf({ ...rest, ...of, type: 'function_call', call_id });
  });
  return [{ role, parts: [...partsOf(content), ...called] }];
}

function isOfPage(message: Fields): message is Fields & UIMessage {
  return Array.isArray(message['parts']) && typeof message['role'] === 'string';
}

function isMessage(value: unknown): boolean {
  return isObject(value) && ('role' in value || roleOfItem(value) !== undefined);
}

/** Whose an item of OpenAI's Responses is that has a type in the place of a role. */
function roleOfItem({ role, type }: Fields): string | undefined {
  if (role !== undefined || typeof type !== 'string') return undefined;
  if (type.endsWith('_call_output')) return 'tool';
  return /^reasoning$|^compaction$|^mcp_|_call$/.test(type) ? 'assistant' : undefined;
}

function partsOf(content: unknown): readonly Fields[] {
  const parts = typeof content === 'string' ? [content] : listOf(content);
  return parts.map((part) => (typeof part === 'string' ? textPart(part) : partOf(part)));
}

function textPart(text: string): Fields {
  return { type: 'text', text };
}

/** Reads a part of a message in the forms of the AI SDK, OpenAI and Anthropic; of another kind its name stays. */
function partOf(part: unknown): Fields {
  if (!isObject(part) || typeof part['type'] !== 'string')
    throw new Error(`${describe(part)} as a part of a message`);
  const { type, name, summary, thinking = textIn(listOf(summary)) } = part;
  if (isOwn(part)) return part;
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

const ownTypes =
  /^(?:text|reasoning|image|file|reasoning-file|custom|tool-(?:call|result|approval-\w+))$/;

/** Whether a part is one of the AI SDK: others have pictures, files and texts too, those in other shapes. */
function isOwn({ type, source, file, summary }: Fields): boolean {
  return ownTypes.test(String(type)) && !isObject(source ?? file) && summary === undefined;
}

/** A file from wherever each form keeps it: an address, a data URL or base64. */
function fileIn(part: Fields): Fields | undefined {
  const { source, image_url, file, input_audio } = part;
  const holder = [source, image_url, file, input_audio].find(isObject) ?? part;
  const given = ['data', 'url', 'image_url', 'file_url', 'file_data']
    .map((name) => holder[name])
    .find((value) => typeof value === 'string');
  if (given === undefined) return undefined;
  if (holder['type'] === 'text') return textPart(given);
  const [, ofUrl, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(given) ?? [];
  const usual = String(part['type']).includes('image') ? 'image/png' : 'application/octet-stream';
  const mediaType = ofUrl ?? textOf(holder['media_type'] ?? usual);
  const isAddress = base64 === undefined && URL.canParse(given);
  return { type: 'file', mediaType, data: isAddress ? new URL(given) : (base64 ?? given) };
}

/**
 * Messages as the SDK takes them: parts of an answer and results that follow one another are one message, calls that were
 * never answered get an empty result, and results of no call are left out.
 */
function joinedMessages(said: readonly Said[]): readonly Fields[] {
  const messages: { readonly role: string; readonly content: Fields[] }[] = [];
  /** Names of tools whose calls have no result yet, by the ids of the calls. */
  const open = new Map<unknown, unknown>();
  const add = (role: string, parts: readonly Fields[]): void => {
    const last = messages.at(-1);
    const goesOn = last?.role === role && (role === 'assistant' || role === 'tool');
    if (goesOn) last.content.push(...parts);
    else if (parts.length > 0) messages.push({ role, content: [...parts] });
  };
  const close = (): void => {
    const output = { type: 'text', value: '' };
    for (const [toolCallId, toolName] of open)
      add('tool', [{ type: 'tool-result', toolCallId, toolName, output }]);
    open.clear();
  };
  for (const { role, parts } of said) {
    const isResult = ({ type }: Fields): boolean => role !== 'assistant' && type === 'tool-result';
    const others = parts.filter((part) => !isResult(part));
    for (const part of parts.filter(isResult)) {
      const toolName = open.get(part['toolCallId']);
      if (open.delete(part['toolCallId'])) add('tool', [{ ...part, toolName }]);
    }
    if (role !== 'assistant' && role !== 'tool' && others.length > 0) close();
    add(role, others);
    for (const { type, toolCallId, toolName, providerExecuted } of others)
      if (type === 'tool-call' && providerExecuted !== true) open.set(toolCallId, toolName);
  }
  close();
  return messages.map(({ role, content }) =>
    role === 'system' ? { role, content: textIn(content) } : { role, content },
  );
}

/** The texts of parts; of a part without one its kind, in brackets. */
function textIn(parts: readonly unknown[]): string {
  return parts
    .filter(isObject)
    .map(({ type, text, refusal }) => textOf(text ?? refusal ?? `[${textOf(type)}]`))
    .join('\n');
}

/** A string, or the JSON of what is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The elements of a list; none of what is no list. */
function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What was found, in words, without its texts. */
function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isObject(value))
    return value === null || value === undefined ? 'nothing' : `a ${typeof value}`;
  const names = Object.keys(value).slice(0, 6).join(', ');
  return names === '' ? 'an object without members' : `an object with ${names}`;
}

function refused(place: string, what: string): CommandError {
  return new CommandError(
    `${place}: found ${what.replaceAll('\n', ' ')}; understood: messages of the AI SDK, OpenAI or Anthropic, as a list, an object or JSON lines.`,
  );
}
