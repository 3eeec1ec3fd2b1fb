import { expect } from 'vitest';
import { countPromptTokens, type Message } from '../../src/index.ts';
import type { RecordingModel } from '../../src/entries/testing/index.ts';

/** Expects that no prompt a model was sent is larger than so many tokens, as o200k counts them without tools. */
export async function expectWithinLimit(
  { prompts }: RecordingModel,
  tokens: number,
): Promise<void> {
  for (const [index, prompt] of prompts.entries()) {
    const { total } = await countPromptTokens({ messages: prompt });
    expect(total, `call ${index + 1}`).toBeLessThanOrEqual(tokens);
  }
}

/** Expects that every prompt a model was sent is one that providers take. */
export function expectLegal({ prompts }: RecordingModel): void {
  expect(prompts.map(faultOf).filter((fault) => fault !== undefined)).toEqual([]);
}

/** Expects that no summary was paid twice: that a summarizing model was never asked the same again. */
export function expectPaidOnce({ prompts }: RecordingModel): void {
  expect(new Set(prompts.map((prompt) => JSON.stringify(prompt))).size).toBe(prompts.length);
}

/**
 * What is wrong with a prompt: system messages come first, a user message behind them, each tool call is answered before
 * anything else is said, no answer is without its call, no message without content.
 */
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
