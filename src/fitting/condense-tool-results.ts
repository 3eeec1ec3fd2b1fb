import { isRecalled } from '../prompt/recalled-output.ts';
import type { Message, Prompt, ToolMessage } from '../prompt/prompt-types.ts';
import { condenseToolResult } from '../strategies/rule-based/tool-uses.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import { withContent } from './shrink-messages.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import type { ToolCall } from '../strategies/rule-based/tool-uses.ts';

/**
 * Replaces the tool outputs of some messages of a prompt by a line of facts each. Ids, order and part
 * types stay; everything else goes in by reference.
 *
 * @param stale - The messages whose outputs may be condensed.
 */
export async function condenseToolResults(
  prompt: readonly Message[],
  stale: ReadonlySet<Message>,
  slices: TimeSlices,
  options: ToolResultOptions,
): Promise<Prompt> {
  const calls = new Map<string, ToolCall>();
  const messages: Prompt = [];
  for (const message of prompt) {
    await slices.pause();
    if (message.role === 'assistant') {
      for (const part of message.content)
        if (part.type === 'tool-call') calls.set(part.toolCallId, part);
    }
    const isStale = message.role === 'tool' && stale.has(message);
    messages.push(isStale ? await condensed(message, calls, slices, options) : message);
  }
  return messages;
}

async function condensed(
  message: ToolMessage,
  calls: ReadonlyMap<string, ToolCall>,
  slices: TimeSlices,
  options: ToolResultOptions,
): Promise<ToolMessage> {
  const content: ToolMessage['content'] = [];
  for (const part of message.content)
    content.push(
      part.type === 'tool-result' && !isRecalled(part.output)
        ? await condenseToolResult(calls.get(part.toolCallId), part, slices, options)
        : part,
    );
  return withContent(message, content);
}
