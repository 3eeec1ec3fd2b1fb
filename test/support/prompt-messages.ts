import type { AssistantMessage, SystemMessage, ToolMessage, UserMessage } from './prompt-types.ts';

/** Messages in the form a middleware sees, for the pure stages. */

type AssistantPart = AssistantMessage['content'][number];

export function system(content: string): SystemMessage {
  return { role: 'system', content };
}

export function user(text: string): UserMessage {
  return { role: 'user', content: [{ type: 'text', text }] };
}

export function assistant(text: string, ...parts: AssistantPart[]): AssistantMessage {
  return { role: 'assistant', content: [...parts, ...(text === '' ? [] : [textPart(text)])] };
}

function textPart(text: string): AssistantPart {
  return { type: 'text', text };
}

export function call(
  toolCallId: string,
  more: Partial<Extract<AssistantPart, { type: 'tool-call' }>> = {},
): AssistantPart {
  return { type: 'tool-call', toolCallId, toolName: 'read_file', input: {}, ...more };
}

export function result(
  toolCallId: string,
  value = 'ok',
): Extract<AssistantPart, { type: 'tool-result' }> {
  return {
    type: 'tool-result',
    toolCallId,
    toolName: 'read_file',
    output: { type: 'text', value },
  };
}

/** A tool message with the results of some calls. */
export function results(...ids: string[]): ToolMessage {
  return { role: 'tool', content: ids.map((id) => result(id)) };
}

export function thought(text = 'Let me think.'): AssistantPart {
  return { type: 'reasoning', text };
}
