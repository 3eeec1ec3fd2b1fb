import type { Message, Prompt, ToolMessage } from '../prompt/prompt-types.ts';
import {
  condenseToolResult,
  type CondenseOptions,
} from '../summarize/rule-based/condense-tool-result.ts';
import type { ToolCall } from '../summarize/rule-based/tool-uses.ts';

/**
 * Replaces the tool outputs of some messages of a prompt by a line of facts each. Ids, order and part
 * types stay; everything else goes in by reference.
 *
 * @param stale - The messages whose outputs may be condensed.
 */
export function condenseToolResults(
  prompt: readonly Message[],
  stale: ReadonlySet<Message>,
  options: CondenseOptions,
): Prompt {
  const calls = new Map<string, ToolCall>();
  return prompt.map((message) => {
    if (message.role === 'assistant') {
      for (const part of message.content)
        if (part.type === 'tool-call') calls.set(part.toolCallId, part);
    }
    return message.role === 'tool' && stale.has(message)
      ? condensed(message, calls, options)
      : message;
  });
}

function condensed(
  message: ToolMessage,
  calls: ReadonlyMap<string, ToolCall>,
  options: CondenseOptions,
): ToolMessage {
  const content = message.content.map((part) =>
    part.type === 'tool-result'
      ? condenseToolResult(calls.get(part.toolCallId), part, options)
      : part,
  );
  return content.every((part, index) => part === message.content[index])
    ? message
    : { ...message, content };
}
