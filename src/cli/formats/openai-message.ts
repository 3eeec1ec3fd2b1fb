import type { ModelMessage } from 'ai';
import { isObject } from '../../util/is-object.ts';
import {
  filePart,
  parsedInput,
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

/** Whether a message has what only those of OpenAI's Chat Completions have. */
export function isOpenAIMessage(message: Fields): boolean {
  const { role, tool_calls: calls } = message;
  const isOwn = role === 'developer' || role === 'function' || Array.isArray(calls);
  const isResult = role === 'tool' && !Array.isArray(message['content']);
  return (
    isOwn ||
    isResult ||
    partsOf(message['content']).some(({ type }) => type === 'image_url' || type === 'input_audio')
  );
}

/** Reads a message of OpenAI's Chat Completions. */
export function openAIMessage(message: Fields, names: ToolNames): ModelMessage[] {
  const { role, content } = message;
  switch (role) {
    case 'system':
    case 'developer':
      return [{ role: 'system', content: plainText(content) }];
    case 'assistant':
      return [{ role: 'assistant', content: assistantParts(message, names) }];
    case 'tool':
    case 'function': {
      const id = textOf(message['tool_call_id'] ?? message['name']);
      return [toolMessage(toolResult(id, names, plainText(content)))];
    }
    default:
      return [{ role: 'user', content: userParts(content) }];
  }
}

function plainText(content: unknown): string {
  if (!Array.isArray(content)) return content === null ? '' : textOf(content);
  return partsOf(content)
    .map(({ text }) => textOf(text ?? ''))
    .join('\n');
}

function userParts(content: unknown): UserPart[] {
  if (!Array.isArray(content)) return [{ type: 'text', text: textOf(content) }];
  return partsOf(content).map((part) => {
    const { type, text, image_url: image } = part;
    if (type === 'text') return { type, text: textOf(text) };
    const url = isObject(image) ? image['url'] : image;
    return type === 'image_url' && typeof url === 'string'
      ? filePart(url, 'image/png')
      : placeholder(part);
  });
}

function assistantParts(message: Fields, names: ToolNames): AssistantPart[] {
  const text = message['content'] === undefined ? '' : plainText(message['content']);
  const calls = partsOf(message['tool_calls']).map((call): AssistantPart => {
    const { name, arguments: input } = isObject(call['function']) ? call['function'] : call;
    const toolCallId = textOf(call['id']);
    const toolName = textOf(name);
    names.set(toolCallId, toolName);
    return { type: 'tool-call', toolCallId, toolName, input: parsedInput(input) };
  });
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
}
