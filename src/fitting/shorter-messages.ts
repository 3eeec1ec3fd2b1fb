import { isRecalled } from '../prompt/message-parts.ts';
import type { Message, Prompt, ToolMessage } from '../prompt/prompt-types.ts';
import { condenseToolResult, type ToolCall } from '../strategies/rule-based/tool-facts.ts';
import type { ToolResultOptions } from '../strategies/summary-strategy.ts';
import { cutMiddle } from '../tokens/cut-middle.ts';
import { outputWith, wholeOutput } from './tool-outputs.ts';

/** Gives a message whose tool outputs are a line of facts each; the same one where there are none. */
export type Condenser = (message: Message) => Message;

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

/** Condenses the messages of a prompt: what a result says is read together with its call. */
export function condenserOf(prompt: readonly Message[], options: ToolResultOptions): Condenser {
  const calls = new Map<string, ToolCall>();
  const asked = new Map<ToolMessage['content'][number], ToolCall | undefined>();
  for (const { role, content } of prompt) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of content) {
      if (part.type === 'tool-call') calls.set(part.toolCallId, part);
      if (role === 'tool' && part.type === 'tool-result')
        asked.set(part, calls.get(part.toolCallId));
    }
  }
  return (message) => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result' || isRecalled(part.output)) return part;
      // Facts are of the whole output, if it was shortened.
      const whole = { ...part, output: wholeOutput(part.output) };
      const condensed = condenseToolResult(asked.get(part), whole, options);
      return condensed === whole ? part : condensed;
    });
    const isSame = content.every((part, index) => part === message.content[index]);
    return isSame ? message : { ...message, content };
  };
}

/** A message that was shortened as far as it can be. */
export interface Shortened {
  readonly index: number;
  readonly full: Message;
  readonly least: Message;
  /** Tokens of it in full, and how many fewer its least form takes. */
  readonly tokens: number;
  readonly saved: number;
}

/**
 * Cuts the middle out of texts that are longer than so many characters: of the user and of what tools answered. Order,
 * ids, names and types of all parts stay; a message in which nothing is cut comes back by reference.
 */
export function cutTexts(message: Message, characters: number): Message {
  let isCut = false;
  const shorter = withTexts(message, (text) => {
    if (text.length <= characters) return text;
    isCut = true;
    return cutMiddle(text, characters).text;
  });
  return isCut ? shorter : message;
}

/** Tokens for which it is not worth showing more of a text. */
const leastRestored = 4;

/**
 * Gives shortened messages back as much as there is room for: what matters most first, and of that the newest. The
 * first that does not fit whole gets as much of head and tail as fits.
 *
 * @param priority - How much a message matters.
 * @returns them with what is shown as their least form.
 */
export async function restoreMessages(
  shortened: readonly Shortened[],
  room: number,
  count: (message: Message) => Promise<number>,
  priority: (message: Message) => number,
): Promise<readonly Shortened[]> {
  const order = shortened
    .map((entry) => ({ ...entry, priority: priority(entry.full) }))
    .toSorted((one, other) => other.priority - one.priority || other.index - one.index);
  let left = room;
  for (const [place, entry] of order.entries()) {
    if (left < leastRestored) break;
    const isWhole = entry.saved <= left;
    order[place] = {
      ...entry,
      least: isWhole ? entry.full : await partThatFits(entry, left, count),
    };
    if (!isWhole) break;
    left -= entry.saved;
  }
  return order;
}

/** Head and tail of a message's texts, as long as their share of the room, and shorter where that was too much. */
async function partThatFits(
  { full, least, tokens, saved }: Shortened,
  left: number,
  count: (message: Message) => Promise<number>,
): Promise<Message> {
  const room = tokens - saved + left;
  // A line of facts says more than as many characters of head and tail.
  const fewest = 2 * longestText(least);
  let characters = Math.floor((longestText(full) * room) / tokens);
  for (; characters > fewest; characters = Math.floor(characters * 0.9)) {
    const candidate = cutTexts(full, characters);
    // Each candidate depends on what came of the one before.
    if ((await count(candidate)) <= room) return candidate;
  }
  return least;
}

function longestText(message: Message): number {
  let longest = 0;
  withTexts(message, (text) => {
    longest = Math.max(longest, text.length);
    return text;
  });
  return longest;
}

/** A message with other texts of the user, or of what tools answered. */
function withTexts(message: Message, change: (text: string) => string): Message {
  if (message.role === 'user') {
    const content = message.content.map((part) =>
      part.type === 'text' ? { ...part, text: change(part.text) } : part,
    );
    return { ...message, content };
  }
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) =>
    part.type === 'tool-result' ? { ...part, output: outputWith(part.output, change) } : part,
  );
  return { ...message, content };
}
