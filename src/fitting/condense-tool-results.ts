import { isRecalled } from '../prompt/recalled-output.ts';
import type { Message, Prompt, ToolMessage } from '../prompt/prompt-types.ts';
import { condenseToolResult, type ToolCall } from '../strategies/rule-based/tool-uses.ts';
import type { ToolResultOptions } from '../strategies/tool-summary.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';

/** Gives a message whose tool outputs are a line of facts each; the same one where there are none. */
export type Condenser = (message: Message) => Promise<Message>;

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
  const condense = await condenserOf(prompt, slices, options);
  const messages: Prompt = [];
  for (const message of prompt)
    messages.push(stale.has(message) ? await condense(message) : message);
  return messages;
}

/** Condenses the messages of a prompt: what a result says is read together with its call. */
export async function condenserOf(
  prompt: readonly Message[],
  slices: TimeSlices,
  options: ToolResultOptions,
): Promise<Condenser> {
  const calls = new Map<string, ToolCall>();
  const asked = new Map<ToolMessage['content'][number], ToolCall | undefined>();
  for (const { role, content } of prompt) {
    await slices.pause();
    if (role === 'assistant')
      for (const part of content) if (part.type === 'tool-call') calls.set(part.toolCallId, part);
    if (role === 'tool')
      for (const part of content)
        if (part.type === 'tool-result') asked.set(part, calls.get(part.toolCallId));
  }
  return async (message) => {
    if (message.role !== 'tool') return message;
    const content: ToolMessage['content'] = [];
    for (const part of message.content)
      content.push(
        part.type === 'tool-result' && !isRecalled(part.output)
          ? await condenseToolResult(asked.get(part), part, slices, options)
          : part,
      );
    const isSame = content.every((part, index) => part === message.content[index]);
    return isSame ? message : { ...message, content };
  };
}
