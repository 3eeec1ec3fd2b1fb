import type { ShortenedOutputs } from '../../planning/plan/plan.ts';
import { isRecalled, type ToolOutput } from '../../prompt/messages/message-parts.ts';
import type { Message, Prompt, ToolMessage } from '../../prompt/messages/prompt-types.ts';
import { withOutputs, type MessageTransform } from '../../planning/selection/sent-messages.ts';
import { condenseToolResult, type ToolCall } from '../../summaries/rule-based/tool-facts.ts';
import type { ToolResultOptions } from '../../summaries/strategies/summary-strategy.ts';

/** The whole output of each one that `shortenOutputs` shortened, and how many characters that is longer. */
export const wholeOutputs: WeakMap<
  ToolOutput,
  { readonly output: ToolOutput; readonly omission: number }
> = new WeakMap();

/** Counts the shortened outputs of a prompt; `undefined` without any. */
export function shortenedOutputs(prompt: Prompt): ShortenedOutputs | undefined {
  let [outputs, omittedCharacters] = [0, 0];
  for (const { role, content } of prompt)
    for (const part of role === 'tool' ? content : []) {
      const whole = part.type === 'tool-result' ? wholeOutputs.get(part.output) : undefined;
      if (whole === undefined) continue;
      outputs += 1;
      omittedCharacters += whole.omission;
    }
  return outputs === 0 ? undefined : { outputs, omittedCharacters };
}

/**
 * Replaces the tool outputs of some messages of a prompt by a line of facts each. Ids, order and part
 * types stay; everything else goes in by reference.
 *
 * @param stale - The messages whose outputs may be condensed.
 */
export function condenseToolResults(
  prompt: readonly Message[],
  stale: ReadonlySet<Message>,
  options: ToolResultOptions,
): Prompt {
  const condense = condenserOf(prompt, options);
  return prompt.map((message) => (stale.has(message) ? condense(message) : message));
}

/** Condenses the tool outputs of messages of a prompt: what a result says is read together with its call. */
export function condenserOf(
  prompt: readonly Message[],
  options: ToolResultOptions,
): MessageTransform {
  const calls = new Map<string, ToolCall>();
  const callOf = new Map<ToolMessage['content'][number], ToolCall | undefined>();
  for (const { role, content } of prompt) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (role === 'tool' && part.type === 'tool-result')
        callOf.set(part, calls.get(part.toolCallId));
    }
  }
  return (message) =>
    withOutputs(message, (output, part) => {
      if (isRecalled(output)) return output;
      // Facts are of the whole output, if it was shortened.
      const whole = { ...part, output: wholeOutputs.get(output)?.output ?? output };
      const facts = condenseToolResult(callOf.get(part), whole, options);
      return facts === whole ? output : facts.output;
    });
}
