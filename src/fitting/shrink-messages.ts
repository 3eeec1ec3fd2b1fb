import type { Message, ToolMessage, UserMessage } from '../prompt/prompt-types.ts';
import { readToolOutput, type OutputReader, type ToolOutput } from '../prompt/read-message-part.ts';
import { cutMiddle } from '../tokens/text/cut-middle.ts';
import { timeSlices, type TimeSlices } from '../util/async/time-slices.ts';
import { jsonTexts, type JsonText } from './json-texts.ts';

/** What {@link shrinkMessages} leaves alone. */
export interface ShrinkOptions {
  /** Characters that are left of the longest texts at the least. */
  readonly leastCharacters: number;
  /** The rendered summary, which is never shortened wherever it stands. */
  readonly summary?: string | undefined;
  /** Messages that are never shortened: the pinned ones. */
  readonly verbatim?: ReadonlySet<Message> | undefined;
  /** @default some that begin now */
  readonly slices?: TimeSlices | undefined;
}

/**
 * Shortens oversized texts in place so that messages fit a number of tokens: tool outputs and the user
 * messages before the last one, the largest first, by cutting out their middle. Message order, roles,
 * part types, ids and names stay; assistant messages and the latest user message are never touched.
 * Messages with nothing to shorten come back by reference.
 *
 * @returns the messages as far as they could be shortened; the caller counts what that came to.
 */
export async function shrinkMessages(
  messages: readonly Message[],
  fits: (messages: readonly Message[]) => boolean | Promise<boolean>,
  { leastCharacters, summary, verbatim = new Set(), slices = timeSlices() }: ShrinkOptions,
): Promise<readonly Message[]> {
  if (await fits(messages)) return messages;
  const latestUser = messages.findLastIndex((message) => message.role === 'user');
  const jsonText = await jsonTexts(messages, slices);
  const shrunkTo = async (characters: number): Promise<readonly Message[]> => {
    const shrunk: Message[] = [];
    for (const [index, message] of messages.entries()) {
      const pause = slices.pause();
      if (pause !== undefined) await pause;
      const stays = verbatim.has(message) || index === latestUser;
      shrunk.push(stays ? message : shrinkMessage(message, characters, { summary, jsonText }));
    }
    return shrunk;
  };

  // One cap for all texts: only what is above it is cut, so the largest give first. The highest cap
  // that fits is found by bisection, within a sixteenth.
  let low = leastCharacters;
  let high = longestText(messages, jsonText);
  if (low >= high) return messages;
  const smallest = await shrunkTo(low);
  if (!(await fits(smallest))) return smallest;
  let best = smallest;
  while (high - low > low / 16) {
    const middle = Math.floor((low + high) / 2);
    const candidate = await shrunkTo(middle);
    // Each candidate depends on what came of the one before.
    if (await fits(candidate)) {
      best = candidate;
      low = middle;
    } else high = middle;
  }
  return best;
}

/**
 * Cuts the middle out of the texts of one message that are longer than so many characters. System and
 * assistant messages come back as they are.
 */
export function shrinkMessage(
  message: Message,
  characters: number,
  { summary, jsonText }: Pick<ShrinkOptions, 'summary'> & { readonly jsonText: JsonText },
): Message {
  if (message.role === 'user') return shrinkUserMessage(message, characters, summary);
  if (message.role !== 'tool') return message;
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result') return part;
    if (readToolOutput(part.output, outputLength, jsonText) <= characters) return part;
    const output = readToolOutput(part.output, shortOutput, { characters, jsonText });
    return { ...part, output: output ?? part.output };
  });
  return withContent(message, content);
}

/** The same for a user message, which holds no JSON. */
export function shrinkUserMessage(
  message: UserMessage,
  characters: number,
  summary?: string,
): UserMessage {
  const content = message.content.map((part) =>
    part.type === 'text' && part.text.length > characters && part.text !== summary
      ? { ...part, text: withoutMiddle(part.text, characters) }
      : part,
  );
  return withContent(message, content);
}

/** Characters of the longest text that can be shortened. */
export function longestText(messages: readonly Message[], jsonText: JsonText): number {
  let longest = 0;
  for (const message of messages) {
    if (message.role === 'system') continue;
    for (const part of message.content) {
      if (part.type === 'text') longest = Math.max(longest, part.text.length);
      if (part.type === 'tool-result')
        longest = Math.max(longest, readToolOutput(part.output, outputLength, jsonText));
    }
  }
  return longest;
}

const outputLength: OutputReader<JsonText, number> = {
  text: ({ value }) => value.length,
  json: ({ value }, jsonText) => jsonText(value).length,
  denied: () => 0,
  // Not spread into arguments: there may be more parts than the call stack holds.
  content: ({ value }) =>
    value.reduce(
      (longest, part) => Math.max(longest, part.type === 'text' ? part.text.length : 0),
      0,
    ),
  unknown: () => 0,
};

/** A message with other content; the same one where all of it is the same. */
export function withContent<T extends UserMessage | ToolMessage>(
  message: T,
  content: T['content'],
): T {
  const isSame = content.every((part, index) => part === message.content[index]);
  return isSame ? message : { ...message, content };
}

const shortOutput: OutputReader<
  { readonly characters: number; readonly jsonText: JsonText },
  ToolOutput | undefined
> = {
  text: (output, { characters }) => ({ ...output, value: withoutMiddle(output.value, characters) }),
  // A string is JSON too, so the type of the output, which providers look at, can stay.
  json: (output, { characters, jsonText }) => ({
    ...output,
    value: withoutMiddle(jsonText(output.value), characters),
  }),
  denied: () => undefined,
  content: (output, { characters }) => ({
    ...output,
    value: output.value.map((item) =>
      item.type === 'text' ? { ...item, text: withoutMiddle(item.text, characters) } : item,
    ),
  }),
  unknown: () => undefined,
};

function withoutMiddle(text: string, characters: number): string {
  return cutMiddle(text, characters).text;
}
