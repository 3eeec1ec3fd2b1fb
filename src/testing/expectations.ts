import { countPromptTokens } from '../api/count-prompt-tokens.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { RecordingModel } from './scripted-model.ts';

/**
 * Expects that no prompt a model was sent is larger than this many tokens, as o200k counts them. Tools are not
 * in it: take off what they need.
 *
 * @throws Error naming the call that is larger, and that the model was not called.
 */
export async function expectWithinLimit(model: RecordingModel, tokens: number): Promise<void> {
  for (const [index, prompt] of promptsOf(model).entries()) {
    const { total } = await countPromptTokens({ prompt });
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
  for (const [index, prompt] of promptsOf(model).entries()) {
    const fault = faultOf(prompt);
    if (fault !== undefined) throw new Error(`Call ${index + 1}: ${fault}.`);
  }
}

/**
 * Expects that no summary was paid twice: that a summarising model was never asked the same again. A call that
 * failed may be made again: give the number of calls that may be repeated.
 *
 * @param repeated - Calls that may be made again.
 * @throws Error naming the calls that are alike, and that the model was not called.
 */
export function expectPaidOnce(summarizer: RecordingModel, repeated = 0): void {
  const first = new Map<string, number>();
  let alike = 0;
  for (const [index, prompt] of promptsOf(summarizer).entries()) {
    const text = JSON.stringify(prompt);
    const earlier = first.get(text);
    first.set(text, earlier ?? index);
    if (earlier === undefined) continue;
    alike += 1;
    if (alike > repeated)
      throw new Error(`Calls ${earlier + 1} and ${index + 1} ask for the same summary.`);
  }
}

function promptsOf({ prompts, modelId }: RecordingModel): RecordingModel['prompts'] {
  if (prompts.length === 0) throw new Error(`The model ${modelId} was not called.`);
  return prompts;
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
