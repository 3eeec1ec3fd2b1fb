import { countPromptTokens, type Message } from '../../src/index.ts';
import type { RecordingModel } from '../../src/testing/index.ts';

/**
 * Expects that no prompt a model was sent is larger than this many tokens, as o200k counts them. Tools are not
 * in it: take off what they need.
 *
 * @throws Error naming the call that is larger.
 */
export async function expectWithinLimit(model: RecordingModel, tokens: number): Promise<void> {
  for (const [index, prompt] of model.prompts.entries()) {
    const { total } = await countPromptTokens({ messages: prompt });
    if (total > tokens)
      throw new Error(`Call ${index + 1} has ${total} tokens, where ${tokens} are the limit.`);
  }
}

/**
 * Expects that every prompt a model was sent is one that providers take: system messages first, a user message
 * behind them, each tool call answered before anything else is said, no answer without its call, no message
 * without content.
 *
 * @throws Error naming the call, the message and what is wrong with it.
 */
export function expectLegal(model: RecordingModel): void {
  for (const [index, prompt] of model.prompts.entries()) {
    const fault = faultOf(prompt);
    if (fault !== undefined) throw new Error(`Call ${index + 1}: ${fault}.`);
  }
}

/**
 * Expects that no summary was paid twice: that a summarising model was never asked the same again.
 *
 * @throws Error naming the calls that are alike.
 */
export function expectPaidOnce(summarizer: RecordingModel): void {
  const first = new Map<string, number>();
  for (const [index, prompt] of summarizer.prompts.entries()) {
    const text = JSON.stringify(prompt);
    const earlier = first.get(text);
    if (earlier !== undefined)
      throw new Error(`Calls ${earlier + 1} and ${index + 1} ask for the same summary.`);
    first.set(text, index);
  }
}

function faultOf(prompt: readonly Message[]): string | undefined {
  const begun = prompt.findIndex(({ role }) => role !== 'system');
  if (begun === -1) return 'there is no message but system messages';
  const first = prompt[begun]?.role;
  if (first !== 'user')
    return `message ${begun + 1} is the first, and not of the user but ${first}`;
  const open = new Set<string>();
  for (const [index, message] of prompt.entries()) {
    const place = `message ${index + 1}`;
    if (message.content.length === 0) return `${place} is empty`;
    if (message.role !== 'tool' && open.size > 0)
      return `${place} comes before the result of the call ${[...open].join(', ')}`;
    if (message.role === 'system') continue;
    for (const part of message.content) {
      const answersNothing =
        message.role === 'tool' && part.type === 'tool-result' && !open.delete(part.toolCallId);
      if (answersNothing) return `${place} holds a result of no call`;
      if (part.type === 'tool-call' && part.providerExecuted !== true) open.add(part.toolCallId);
    }
  }
  return open.size > 0 ? `the call ${[...open].join(', ')} has no result` : undefined;
}
