import { convertToModelMessages, type ModelMessage, type UIMessage } from 'ai';
import { checkMessages } from '../../api/arguments/check-messages.ts';
import { readMessages } from '../../api/arguments/given-conversation.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { isObject } from '../../util/is-object.ts';
import { CommandError } from '../command/command-error.ts';
import { messageOf } from '../../util/errors.ts';
import { anthropicMessage, isAnthropicMessage } from './anthropic-message.ts';
import { toolMessage, type Fields, type ToolNames } from './message-reader.ts';
import { isOpenAIMessage, openAIMessage } from './openai-message.ts';
import { describe, found, type RawConversation } from './parse-file.ts';

const roles: ReadonlySet<unknown> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
]);
const understood =
  'messages of the AI SDK (UI or model), OpenAI or Anthropic: objects with a role and a content or parts';

/**
 * Reads a conversation in whichever form it is written.
 *
 * @throws {CommandError} with the line of the message that is of none, what was found and what is understood.
 */
export async function readConversation(conversation: RawConversation): Promise<readonly Message[]> {
  const names: ToolNames = new Map();
  const messages: ModelMessage[] = [];
  for (const { value, line } of conversation.messages) {
    try {
      const read = await modelMessages(value, names);
      if (read === undefined) throw found(line, describe(value), understood);
      checkMessages(read, 'messages');
      messages.push(...read);
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw found(line, `${describe(value)} (${messageOf(error)})`, understood);
    }
  }
  try {
    return await readMessages(withAllResults(messages));
  } catch (error) {
    throw new CommandError(`${conversation.name}: ${messageOf(error)}`);
  }
}

async function modelMessages(
  message: unknown,
  names: ToolNames,
): Promise<ModelMessage[] | undefined> {
  if (!isObject(message) || !roles.has(message['role'])) return undefined;
  if (isUIMessage(message)) return convertToModelMessages([message]);
  if (isAnthropicMessage(message)) return anthropicMessage(message, names);
  const { content } = message;
  if (isOpenAIMessage(message)) return openAIMessage(message, names);
  return isModelMessage(message) && (typeof content === 'string' || Array.isArray(content))
    ? [message]
    : undefined;
}

function isUIMessage(message: Fields): message is Fields & UIMessage {
  return Array.isArray(message['parts']);
}

function isModelMessage(message: unknown): message is ModelMessage {
  return isObject(message) && 'content' in message;
}

/** Calls that were never answered get an empty result, and results of no call are left out: the SDK refuses both. */
function withAllResults(messages: readonly ModelMessage[]): ModelMessage[] {
  const complete: ModelMessage[] = [];
  const open = new Map<string, string>();
  const close = (): void => {
    const output = { type: 'text', value: '' } as const;
    const results = [...open].map(
      ([toolCallId, toolName]) => ({ type: 'tool-result', toolCallId, toolName, output }) as const,
    );
    if (results.length > 0) complete.push(toolMessage(...results));
    open.clear();
  };
  for (const message of messages) {
    if (message.role !== 'tool') close();
    if (message.role === 'assistant' && typeof message.content !== 'string')
      for (const part of message.content) {
        if (part.type === 'tool-call' && part.providerExecuted !== true)
          open.set(part.toolCallId, part.toolName);
      }
    if (message.role !== 'tool') complete.push(message);
    else {
      const content = message.content.filter(
        (part) => part.type !== 'tool-result' || open.delete(part.toolCallId),
      );
      if (content.length > 0) complete.push({ ...message, content });
    }
  }
  close();
  return complete;
}
