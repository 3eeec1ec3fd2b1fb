import { isRecalled, type ToolOutput } from '../prompt/message-parts.ts';
import type { Prompt } from '../prompt/prompt-types.ts';
import type { ShortenedOutputs } from '../planning/plan.ts';
import type { SendAs } from '../selection/sent-messages.ts';
import { cutOutput } from '../strategies/failure-line.ts';
import { findIdentifiers } from '../strategies/rule-based/identifiers.ts';
import { charactersPerToken } from '../tokens/scan-prompt.ts';
import { shareOfEach } from '../util/numbers.ts';

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

/** The whole output of each short form, and how many characters that is longer. */
const wholes = new WeakMap<ToolOutput, { readonly output: ToolOutput; readonly omitted: number }>();

/**
 * Shortens the tool outputs of a message that have more than so many tokens, at four characters each, by their texts
 * alone: the same output is the same in every prompt. Head and tail, the first line that states a failure, and names of
 * files and addresses between them stay; so do files, the type of the output, and answers of the recall tool.
 */
export function shortenOutputs(maxTokens: number): SendAs {
  const characters = charactersPerToken * maxTokens;
  return (message) => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) => {
      if (part.type !== 'tool-result' || isRecalled(part.output)) return part;
      const output = shortOutput(part.output, characters);
      return output === part.output ? part : { ...part, output };
    });
    const isSame = content.every((part, index) => part === message.content[index]);
    return isSame ? message : { ...message, content };
  };
}

/** Returns the output that was shortened to this one, or the same one. */
export function wholeOutput(output: ToolOutput): ToolOutput {
  return wholes.get(output)?.output ?? output;
}

/** Counts the shortened outputs of a prompt; `undefined` without any. */
export function shortenedOutputs(prompt: Prompt): ShortenedOutputs | undefined {
  let [outputs, omittedCharacters] = [0, 0];
  for (const { role, content } of prompt)
    for (const part of role === 'tool' ? content : []) {
      const whole = part.type === 'tool-result' ? wholes.get(part.output) : undefined;
      if (whole === undefined) continue;
      outputs += 1;
      omittedCharacters += whole.omitted;
    }
  return outputs === 0 ? undefined : { outputs, omittedCharacters };
}

function shortOutput(given: ToolOutput, characters: number): ToolOutput {
  const texts = textsOf(given);
  const lengths = texts.map(({ length }) => length);
  const share = shareOfEach(lengths, characters);
  if (share === Infinity) return given;
  const known = shortForms.get(given);
  const isKnown =
    known?.characters === characters &&
    known.texts.length === texts.length &&
    known.texts.every((text, index) => text === texts[index]);
  if (isKnown) return known.output;
  const room = Math.max(leastCharacters, Math.floor(share));
  const output = outputWith(given, (text) => shortText(text, room));
  const omitted = lengthOf(texts) - lengthOf(textsOf(output));
  if (omitted === 0) return given;
  shortForms.set(given, { texts, characters, output });
  wholes.set(output, { output: given, omitted });
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

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, { length }) => sum + length, 0);
}

function shortText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  const shown = cutOutput(text, Math.floor(characters * (1 - shareOfNames)));
  const names = namesBeside(shown, text, Math.floor(characters * shareOfNames));
  return cutOutput(text, characters - names.length) + names;
}

/** Names the files and addresses of a text that its shown part lacks, the first ones in so many characters. */
function namesBeside(shown: string, text: string, characters: number): string {
  const names = new Set<string>();
  eachName(shown, (name) => names.add(name));
  const shownNames = names.size;
  let room = characters - namesLine([]).length;
  eachName(text.slice(0, searchedCharacters), (name) => {
    const taken = name.length + separator.length;
    if (taken > room || names.has(name)) return;
    names.add(name);
    room -= taken;
  });
  return names.size === shownNames ? '' : namesLine([...names].slice(shownNames));
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

/** A tool output with other texts: JSON is one, and becomes a JSON string where it changes. */
export function outputWith(output: ToolOutput, change: (text: string) => string): ToolOutput {
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
