import { canonicalJson } from '../json/write-json.ts';
import { readToolOutput, type OutputReader, type ToolOutput } from '../prompt/read-message-part.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { Priority } from '../selection/message-priority.ts';
import { cutMiddle } from '../tokens/text/cut-middle.ts';
import { runInSlices } from '../util/async/run-steps.ts';
import type { TimeSlices } from '../util/async/time-slices.ts';
import type { Condenser } from './condense-tool-results.ts';

/** Counts a message, in tokens. */
export type CountTokens = (message: Message) => Promise<number>;

/** A message that was shortened as far as it can be. */
export interface Shortened {
  readonly index: number;
  readonly full: Message;
  readonly least: Message;
  /** Tokens of the two. */
  readonly tokens: { readonly full: number; readonly least: number };
}

/** What messages are shortened with. */
export interface FormTools {
  readonly count: CountTokens;
  readonly condense: Condenser;
  readonly slices: TimeSlices;
}

/** Shortens a message of a conversation as far as can be; `undefined` for one that has no shorter form. */
export type Shorten = (index: number) => Promise<Shortened | undefined>;

/**
 * Shortens tool outputs to their facts, texts of the user to head and tail of so many characters. Pinned
 * messages, the model's and the user's latest stay.
 */
export function leastForms(
  { conversation, pinned }: Pick<ConversationView, 'conversation' | 'pinned'>,
  { count, condense, slices }: FormTools,
  characters: number,
): Shorten {
  const latestUser = conversation.findLastIndex(({ role }) => role === 'user');
  return async (index) => {
    const full = conversation[index];
    if (full === undefined || pinned.has(index) || index === latestUser) return undefined;
    await writeOutputs(full, slices);
    const least = cutTexts(await condense(full), characters);
    if (least === full) return undefined;
    const tokens = { full: await count(full), least: await count(least) };
    return tokens.least < tokens.full ? { index, full, least, tokens } : undefined;
  };
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
 * first that does not fit whole gets the largest head and tail that fit.
 *
 * @returns the restored messages by index.
 */
export async function restoreMessages(
  shortened: readonly Shortened[],
  room: number,
  count: CountTokens,
  priority: Priority,
): Promise<ReadonlyMap<number, Message>> {
  const restored = new Map<number, Message>();
  const order = shortened
    .map((entry) => ({ ...entry, priority: priority(entry.full) }))
    .toSorted((one, other) => other.priority - one.priority || other.index - one.index);
  let left = room;
  for (const entry of order) {
    if (left < leastRestored) break;
    const { index, full, tokens } = entry;
    if (tokens.full - tokens.least > left) {
      const partial = await largestThatFits(entry, tokens.least + left, count);
      if (partial !== undefined) restored.set(index, partial);
      break;
    }
    restored.set(index, full);
    left -= tokens.full - tokens.least;
  }
  return restored;
}

/** Characters by which a text is shown longer: two tokens. */
const leastStep = 8;

/** The longest head and tail of a message's texts that fit, by bisection. */
async function largestThatFits(
  { full, least }: Shortened,
  room: number,
  count: CountTokens,
): Promise<Message | undefined> {
  // A line of facts says more than as many characters of head and tail.
  let low = 2 * longestText(least);
  let high = longestText(full);
  let best: Message | undefined;
  while (high - low > Math.max(leastStep, low / 256)) {
    const middle = Math.floor((low + high) / 2);
    const candidate = cutTexts(full, middle);
    // Each candidate depends on what came of the one before.
    if ((await count(candidate)) <= room) {
      best = candidate;
      low = middle;
    } else high = middle;
  }
  return best;
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
    part.type === 'tool-result'
      ? { ...part, output: readToolOutput(part.output, changedOutput, change) ?? part.output }
      : part,
  );
  return { ...message, content };
}

/** `undefined` for an output without texts. */
const changedOutput: OutputReader<(text: string) => string, ToolOutput | undefined> = {
  text: (output, change) => ({ ...output, value: change(output.value) }),
  // A string is JSON too, so the type of the output, which providers look at, can stay.
  json: (output, change) => {
    const text = jsonText(output.value);
    const value = change(text);
    return value === text ? undefined : { ...output, value };
  },
  denied: () => undefined,
  content: (output, change) => ({
    ...output,
    value: output.value.map((part) =>
      part.type === 'text' ? { ...part, text: change(part.text) } : part,
    ),
  }),
  unknown: () => undefined,
};

/** The texts of JSON values that tools answered, written once however many lengths are tried for them. */
const written = new WeakMap<object, string>();

function jsonText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return written.get(value) ?? JSON.stringify(value);
}

/** Writes large values in slices, before they are cut. */
async function writeOutputs({ role, content }: Message, slices: TimeSlices): Promise<void> {
  if (role !== 'tool') return;
  for (const part of content) {
    const output = part.type === 'tool-result' ? part.output : undefined;
    if (output?.type !== 'json' && output?.type !== 'error-json') continue;
    const { value } = output;
    if (typeof value === 'object' && value !== null && !written.has(value))
      written.set(value, await runInSlices(canonicalJson(value), slices));
  }
}
