import type { ReplayedMessage } from '../../planning/replay-calls.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { isRecalled } from '../../prompt/recalled-output.ts';
import type { PromptScan } from '../../tokens/scan-prompt.ts';
import type { StateReading } from './read-state.ts';

/** A call whose conversation is gone through once more. */
export interface ReplayedCall extends Pick<StateReading, 'view' | 'last'> {
  /** Of the prompt as it stands. */
  readonly scan: PromptScan;
}

/** Tokens of the line of facts that a tool output gives way to. */
const lineTokens = 50;
/** Tokens of a message, and of a tool call or result in it, beside its texts: providers add 3 to 20. */
const frameTokens = 8;
/** Characters a token holds in common text. */
const charactersPerToken = 4;
/** Tokens of a tool output that a summarising model is shown. */
const shownTokens = 500;

/** The messages that no record stands for. */
export function replayedMessages(
  { view: { conversation, pinned }, scan }: ReplayedCall,
  start: number,
  condenses: boolean,
): readonly ReplayedMessage[] {
  // Recent messages are the end of a prompt, whatever stands in front of them.
  const offset = scan.messages.length - conversation.length;
  return conversation.slice(start).map((message, place) => {
    const index = start + place;
    const tokens = tokensAt(scan, index + offset) + partFrames(message);
    const mayGo = condenses && !pinned.has(index);
    return { role: message.role, tokens, freed: mayGo ? freedOf(message, tokens) : 0 };
  });
}

/** Where the messages begin that came after the last summary was made. */
export function firstCallOf({ view, last }: ReplayedCall, start: number): number {
  const since = last === undefined ? start : view.identity.indexAfter(last.messageCount);
  return Math.max(0, (since ?? start) - start);
}

function tokensAt({ lengths, files }: PromptScan, index: number): number {
  return (lengths[index] ?? 0) / charactersPerToken + (files[index] ?? 0);
}

/** Tokens of the frames of a message. */
function partFrames({ content }: Message): number {
  if (typeof content === 'string') return frameTokens;
  const calls = content.filter(({ type }) => type === 'tool-call' || type === 'tool-result').length;
  return frameTokens * (1 + calls);
}

/** Tokens that go when the tool outputs of a message are condensed. */
function freedOf(message: Message, tokens: number): number {
  if (message.role !== 'tool') return 0;
  const outputs = message.content.filter(
    (part) => part.type === 'tool-result' && !isRecalled(part.output),
  ).length;
  return outputs === 0 ? 0 : Math.max(0, tokens - outputs * lineTokens - partFrames(message));
}

/** Tokens of what is no longer recent, as a summarising model reads it. */
export function shown(messages: readonly ReplayedMessage[], recent: number): number {
  const read = messages.reduce(
    (total, { role, tokens }) => total + (role === 'tool' ? Math.min(tokens, shownTokens) : tokens),
    0,
  );
  return Math.max(0, read - recent);
}
