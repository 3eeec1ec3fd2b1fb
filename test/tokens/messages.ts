import type { AssistantMessage, ToolMessage } from '../support/prompt-types.ts';

type ToolOutput = Extract<ToolMessage['content'][number], { type: 'tool-result' }>['output'];

/** Builds an assistant message with one tool call. */
export function toolCall(toolName: string, input: unknown): AssistantMessage {
  return {
    role: 'assistant',
    content: [{ type: 'tool-call', toolCallId: 'call_1', toolName, input }],
  };
}

/** Builds a tool message with one result. */
export function toolResult(toolName: string, output: ToolOutput): ToolMessage {
  return {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: 'call_1', toolName, output }],
  };
}
