import type { ModelMessage } from 'ai';
import { isObject } from '../../util/is-object.ts';
import {
  filePart,
  partsOf,
  placeholder,
  textOf,
  toolMessage,
  toolResult,
  type AssistantPart,
  type Fields,
  type ToolNames,
  type UserPart,
} from './message-reader.ts';

const ownTypes: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'document']);

/** Whether a message has what only those of Anthropic have. */
export function isAnthropicMessage({ content }: Fields): boolean {
  return partsOf(content).some(({ type, source }) => ownTypes.has(type) || isObject(source));
}

/** Reads a message of Anthropic; the results in a user's message become one of their own. */
export function anthropicMessage({ role, content }: Fields, names: ToolNames): ModelMessage[] {
  const parts = partsOf(content);
  if (role === 'assistant')
    return [{ role, content: parts.map((part) => assistantPart(part, names)) }];
  const results = parts
    .filter(({ type }) => type === 'tool_result')
    .map((part) => toolResult(textOf(part['tool_use_id']), names, resultText(part['content'])));
  const said = parts.filter(({ type }) => type !== 'tool_result').map(userPart);
  return [
    ...(results.length > 0 ? [toolMessage(...results)] : []),
    ...(said.length > 0 ? [{ role: 'user' as const, content: said }] : []),
  ];
}

function assistantPart(part: Fields, names: ToolNames): AssistantPart {
  const { type, text, thinking, id, name, input } = part;
  if (type === 'text') return { type, text: textOf(text) };
  if (type === 'thinking') return { type: 'reasoning', text: textOf(thinking) };
  if (type !== 'tool_use') return placeholder(part);
  const toolCallId = textOf(id);
  const toolName = textOf(name);
  names.set(toolCallId, toolName);
  return { type: 'tool-call', toolCallId, toolName, input: input ?? {} };
}

function userPart(part: Fields): UserPart {
  const { type, text, source } = part;
  if (type === 'text') return { type, text: textOf(text) };
  if (!isObject(source)) return placeholder(part);
  const { data, url, media_type: mediaType } = source;
  const kind = type === 'image' ? 'image/png' : 'application/pdf';
  const content = typeof url === 'string' ? url : data;
  return typeof content === 'string'
    ? filePart(content, typeof mediaType === 'string' ? mediaType : kind)
    : placeholder(part);
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  return partsOf(content)
    .map(({ type, text }) => (type === 'text' ? textOf(text) : `[${textOf(type)}]`))
    .join('\n');
}
