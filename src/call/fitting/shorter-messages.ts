import { isRecalled, type ToolOutput } from '../../prompt/messages/message-parts.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import { withOutputs, type MessageTransform } from '../../planning/selection/sent-messages.ts';
import { cutOutput } from '../../summaries/strategies/failure-line.ts';
import { findIdentifiers } from '../../summaries/rule-based/identifiers.ts';
import { cutMiddle } from '../../sizes/tokens/cut-middle.ts';
import { charactersPerToken } from '../../sizes/tokens/scan-prompt.ts';
import { shareOfEach, sumOf } from '../../foundations/util/numbers.ts';
import { wholeOutputs } from './condensed-messages.ts';

/** A message that was shortened as far as it can be. */
export interface ShortenedMessage {
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
  shortened: readonly ShortenedMessage[],
  room: number,
  count: (message: Message) => Promise<number>,
  priority: (message: Message) => number,
): Promise<readonly ShortenedMessage[]> {
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
  { full, least, tokens, saved }: ShortenedMessage,
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
  return withOutputs(message, (output) => outputWith(output, change));
}

/** A tool output with other texts: JSON is one, and becomes a JSON string where it changes. */
function outputWith(output: ToolOutput, change: (text: string) => string): ToolOutput {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return { ...output, value: change(output.value) };
    case 'json':
    case 'error-json': {
      const { value } = output;
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      const shorter = change(text);
      // A string is JSON too, so the type of the output, which providers look at, can stay.
      return shorter === text ? output : { ...output, value: shorter };
    }
    case 'content':
      return {
        ...output,
        value: output.value.map((part) =>
          part.type === 'text' ? { ...part, text: change(part.text) } : part,
        ),
      };
    default:
      return output;
  }
}

/** Share of a shortened text that may name what its middle had, and characters of the text that are searched for names. */
const shareOfNames = 1 / 2;
const searchedCharacters = 200_000;

/** Characters that each text of an output keeps, however many there are: some APIs refuse empty ones. */
const leastCharacters = 40;

/** An output in its short form, made from these texts with this budget. */
interface ShortForm {
  readonly texts: readonly string[];
  readonly characters: number;
  readonly output: ToolOutput;
}

/** Outputs keep their identity from step to step in the loop of the SDK. */
const shortForms = new WeakMap<ToolOutput, ShortForm>();

/**
 * Shortens the tool outputs of a message that have more than so many tokens, at four characters each, by their texts
 * alone: the same output is the same in every prompt. Head and tail, the first line that states a failure, and names of
 * files and addresses between them stay; so do files, the type of the output, and answers of the recall tool.
 */
export function shortenOutputs(maxTokens: number): MessageTransform {
  const characters = charactersPerToken * maxTokens;
  return (message) =>
    withOutputs(message, (output) =>
      isRecalled(output) ? output : shortOutput(output, characters),
    );
}

function shortOutput(original: ToolOutput, characters: number): ToolOutput {
  const texts = textsOf(original);
  const lengths = texts.map(({ length }) => length);
  const share = shareOfEach(lengths, characters);
  if (share === Infinity) return original;
  const form = shortForms.get(original);
  const isSameForm =
    form?.characters === characters &&
    form.texts.length === texts.length &&
    form.texts.every((text, index) => text === texts[index]);
  if (isSameForm) return form.output;
  const room = Math.max(leastCharacters, Math.floor(share));
  const output = outputWith(original, (text) => shortText(text, room));
  const omission = sumOf(lengths, Number) - sumOf(textsOf(output), ({ length }) => length);
  if (omission === 0) return original;
  shortForms.set(original, { texts, characters, output });
  wholeOutputs.set(output, { output: original, omission });
  return output;
}

function textsOf(output: ToolOutput): readonly string[] {
  const texts: string[] = [];
  outputWith(output, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

function shortText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const ends = cutOutput(text, Math.floor(characters * (1 - shareOfNames)));
  const names = namesBeside(ends, text, Math.floor(characters * shareOfNames));
  return cutOutput(text, characters - names.length) + names;
}

/** Names the files and addresses of a text that its ends lack, the first ones in so many characters. */
function namesBeside(ends: string, text: string, characters: number): string {
  const names = new Set<string>();
  eachName(ends, (name) => names.add(name));
  const namesOfEnds = names.size;
  let room = characters - namesLine([]).length;
  eachName(text.slice(0, searchedCharacters), (name) => {
    const length = name.length + separator.length;
    if (length > room || names.has(name)) return;
    names.add(name);
    room -= length;
  });
  return names.size === namesOfEnds ? '' : namesLine([...names].slice(namesOfEnds));
}

const separator = ', ';

function namesLine(names: readonly string[]): string {
  return `\n[omitted text names: ${names.join(separator)}]`;
}

function eachName(text: string, visit: (name: string) => void): void {
  findIdentifiers(text, (kind, start, end) => {
    // The file name at the end of a path is part of it.
    const isFile = kind === 'file' && text.charAt(start - 1) !== '/';
    if (isFile || kind === 'path' || kind === 'url') visit(text.slice(start, end));
  });
}
