import { convertToModelMessages, type ModelMessage, type UIMessage } from 'ai';
import { parseJson } from '../util/json.ts';
import { isObject } from '../util/is-object.ts';

export type Fields = Readonly<Record<string, unknown>>;

type PartOf<Role> = Exclude<Extract<ModelMessage, { role: Role }>['content'], string>[number];

/** Roles, and what they are called here. */
const roles = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'tool',
  function: 'tool',
} as const;

/**
 * Reads one message in whichever form it is written.
 *
 * @param toolNames - Names of tools by the ids of their calls, for results that do not name theirs: filled and read.
 * @throws {Error} saying what was found where it is of no form that is understood.
 */
export async function modelMessages(
  message: unknown,
  toolNames: Map<string, string>,
): Promise<readonly ModelMessage[]> {
  if (!isObject(message)) throw new Error(describe(message));
  if (isUIMessage(message)) return convertToModelMessages([message]);
  const { role: name = roleOfItem(message), content } = message;
  if (name === undefined) throw new Error(describe(message));
  if (typeof name !== 'string' || !isRole(name))
    throw new Error(
      `the role ${JSON.stringify(name)} (roles are ${Object.keys(roles).join(', ')})`,
    );
  if (isModelMessage(message)) return [message];
  const isSaid = typeof content === 'string' || Array.isArray(content) || content === null;
  if ('role' in message && !isSaid && message['tool_calls'] === undefined)
    throw new Error(`${describe(message)}, whose content is ${describe(content)}`);
  const role = roles[name];
  const blocks = blocksOf(message);
  if (role === 'system') return [{ role, content: textIn(blocks) }];
  const results = blocks.filter(isResult).map((block) => toolResult(block, toolNames));
  const others = blocks.filter((block) => !isResult(block));
  const said: ModelMessage =
    role === 'assistant'
      ? { role, content: others.map((block) => assistantPart(block, toolNames)) }
      : { role: 'user', content: others.map(userPart) };
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(others.length > 0 ? [said] : []),
  ];
}

/** Whether a value is an item of OpenAI's Responses that has a type in the place of a role. */
export function isItem(value: Fields): boolean {
  return roleOfItem(value) !== undefined;
}

function roleOfItem({ role, type }: Fields): keyof typeof roles | undefined {
  if (role !== undefined || typeof type !== 'string') return undefined;
  if (type.endsWith('_call_output')) return 'tool';
  return /^reasoning$|^compaction$|^mcp_|_call$/.test(type) ? 'assistant' : undefined;
}

function isRole(name: string): name is keyof typeof roles {
  return Object.hasOwn(roles, name);
}

function isUIMessage(message: Fields): message is Fields & UIMessage {
  return Array.isArray(message['parts']) && typeof message['role'] === 'string';
}

function isModelMessage(message: Fields): message is Fields & ModelMessage {
  const { role, content, tool_calls: calls, function_call: call } = message;
  if (calls !== undefined || call !== undefined) return false;
  if (role === 'developer' || role === 'function') return false;
  if (typeof content === 'string') return role !== 'tool';
  return role !== 'system' && Array.isArray(content) && content.every(isOwnPart);
}

/** Whether a part is one of the AI SDK: others have pictures, files and texts too, those in other shapes. */
function isOwnPart(part: unknown): boolean {
  if (!isObject(part) || isObject(part['source'] ?? part['file'])) return false;
  const types =
    /^(?:text|reasoning|image|file|reasoning-file|custom|tool-(?:call|result|approval-\w+))$/;
  return types.test(String(part['type']));
}

/** What a message holds, in the forms of OpenAI and Anthropic. */
function blocksOf(message: Fields): readonly Fields[] {
  const { role, content, tool_calls: calls, function_call: call } = message;
  if (role === undefined) return [message];
  if (role === 'tool' || role === 'function')
    return [{ type: 'tool_result', call_id: message['tool_call_id'] ?? message['name'], content }];
  const texts = typeof content === 'string' ? [content] : listOf(content);
  return [
    ...texts.map((text) => (typeof text === 'string' ? { type: 'text', text } : blockOf(text))),
    ...listOf(calls)
      .filter(isObject)
      .map(({ id, function: called, ...rest }) => {
        const fields = isObject(called) ? called : rest;
        return { ...fields, type: 'function_call', call_id: id };
      }),
    ...(isObject(call) ? [{ ...call, type: 'function_call', call_id: call['name'] }] : []),
  ];
}

function blockOf(value: unknown): Fields {
  if (isObject(value) && typeof value['type'] === 'string') return value;
  throw new Error(`${describe(value)} as a part of a message`);
}

function isResult({ type }: Fields): boolean {
  return type === 'tool_result' || String(type).endsWith('_call_output');
}

function toolResult(block: Fields, toolNames: ReadonlyMap<string, string>): PartOf<'tool'> {
  const toolCallId = textOf(block['tool_use_id'] ?? block['call_id']);
  const toolName = toolNames.get(toolCallId) ?? 'tool';
  const content = block['content'] ?? block['output'] ?? '';
  const value = Array.isArray(content) ? textIn(content.filter(isObject)) : textOf(content);
  return { type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } };
}

function assistantPart(block: Fields, toolNames: Map<string, string>): PartOf<'assistant'> {
  const { type, thinking, summary, arguments: args, input = args } = block;
  if (type === 'thinking' || type === 'reasoning')
    return {
      type: 'reasoning',
      text: textOf(thinking ?? textIn(listOf(summary).filter(isObject))),
    };
  if (type !== 'tool_use' && type !== 'function_call' && type !== 'custom_tool_call')
    return { type: 'text', text: textIn([block]) };
  const toolCallId = textOf(block['call_id'] ?? block['id']);
  const toolName = textOf(block['name']);
  toolNames.set(toolCallId, toolName);
  const read = typeof input === 'string' ? (parseJson(input) ?? { input }) : (input ?? {});
  return { type: 'tool-call', toolCallId, toolName, input: read };
}

/** A text, or a file from wherever each form keeps it: an address, a data URL or base64. */
function userPart(block: Fields): PartOf<'user'> {
  const type = textOf(block['type']);
  const places = ['source', 'image_url', 'file', 'input_audio'].map((name) => block[name]);
  const holder = places.find(isObject) ?? block;
  const given = ['data', 'url', 'image_url', 'file_url', 'file_data']
    .map((name) => holder[name])
    .find((value) => typeof value === 'string');
  if (given === undefined) return { type: 'text', text: textIn([block]) };
  if (holder['type'] === 'text') return { type: 'text', text: given };
  const [, ofUrl, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(given) ?? [];
  const usual = type.includes('image') ? 'image/png' : 'application/octet-stream';
  const mediaType = ofUrl ?? textOf(holder['media_type'] ?? usual);
  const isAddress = base64 === undefined && URL.canParse(given);
  return { type: 'file', mediaType, data: isAddress ? new URL(given) : (base64 ?? given) };
}

/** The texts of parts; of a part without one its kind, in brackets. */
function textIn(blocks: readonly Fields[]): string {
  return blocks
    .map(({ type, text, refusal }) => textOf(text ?? refusal ?? `[${textOf(type)}]`))
    .join('\n');
}

/** A string, or the JSON of what is none. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The elements of a list; none of what is no list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** What was found, in words, without its texts. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isObject(value))
    return value === null || value === undefined ? 'nothing' : `a ${typeof value}`;
  const names = Object.keys(value).slice(0, 6).join(', ');
  return names === '' ? 'an object without members' : `an object with ${names}`;
}

/**
 * Messages as the SDK takes them: answers and results that follow one another are one message, calls that were never
 * answered get an empty result, and results of no call are left out.
 */
export function joinedMessages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  const joined: ModelMessage[] = [];
  const open = new Map<string, string>();
  const close = (): void => {
    const output = { type: 'text', value: '' } as const;
    const content = [...open].map(
      ([toolCallId, toolName]) => ({ type: 'tool-result', toolCallId, toolName, output }) as const,
    );
    if (content.length > 0) joined.push({ role: 'tool', content });
    open.clear();
  };
  for (const message of messages) {
    if (message.role === 'tool') {
      const content = message.content.filter(
        (part) => part.type !== 'tool-result' || open.delete(part.toolCallId),
      );
      if (content.length > 0) joined.push({ ...message, content });
      continue;
    }
    const last = joined.at(-1);
    const isGoingOn = message.role === 'assistant' && last?.role === 'assistant';
    if (isGoingOn)
      joined.splice(-1, 1, {
        ...last,
        content: [...partsOf(last.content), ...partsOf(message.content)],
      });
    else {
      close();
      joined.push(message);
    }
    if (message.role === 'assistant')
      for (const part of partsOf(message.content))
        if (part.type === 'tool-call' && part.providerExecuted !== true)
          open.set(part.toolCallId, part.toolName);
  }
  close();
  return joined;
}

function partsOf(content: string | PartOf<'assistant'>[]): readonly PartOf<'assistant'>[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
