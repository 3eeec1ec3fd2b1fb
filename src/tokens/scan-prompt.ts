import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import type { Steps } from '../util/async/run-steps.ts';
import { keyOf, mixNumber, mixText } from './fingerprint.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import { messageTexts, overheadTexts, type SentTexts } from './sent-texts.ts';
import { sumOf, type TextSize } from './text-size.ts';

/** What a prompt comes to without a tokenizer. Tokens are of o200k. */
export interface PromptScan {
  readonly prompt: CallOptions['prompt'];
  /** Tokens that the prompt and its overhead cannot exceed. */
  readonly bound: number;
  /** Tokens of prompt and overhead at four characters a token, the usual figure. */
  readonly estimate: number;
  /** Characters of text that are sent. A prompt takes hardly fewer tokens than an eighth of them. */
  readonly characters: number;
  /** Tokens that are assumed around the texts, and for what only the provider can read. */
  readonly frames: number;
  /** Tools and the response schema. */
  readonly overhead: TextSize;
  readonly systems: readonly Message[];
  /** Length of the leading system messages in characters. */
  readonly systemCharacters: number;
  /** Messages after the leading system messages. */
  readonly messages: readonly Message[];
  /** Each of these messages. */
  readonly sizes: readonly TextSize[];
  /** Stand for the content of these messages up to and including each. */
  readonly prefixKeys: readonly number[];
}

/** Sizes texts, and reads every character of them once. */
export function sizeOfTexts({ texts, frames, files }: SentTexts, name: string): TextSize {
  const content = { high: frames, low: files };
  mixText(content, name);
  let characters = 0;
  let bytes = 0;
  for (const text of texts) {
    characters += text.length;
    bytes += mixText(content, text);
  }
  return { bound: bytes + frames + files, characters, frames, files, key: keyOf(content) };
}

const lastSizes: Readonly<Record<MediaFamily, WeakMap<Message, TextSize>>> = {
  openai: new WeakMap(),
  anthropic: new WeakMap(),
  google: new WeakMap(),
  other: new WeakMap(),
};

/** The size of a message as it was when a prompt with it was scanned last, as each call begins with. */
export function lastSizeOf(message: Message, family: MediaFamily): TextSize | undefined {
  return lastSizes[family].get(message);
}

/** Sizes a prompt, its tools and response schema, in steps between which others may work. */
export function* scanPrompt(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  family: MediaFamily,
): Steps<PromptScan> {
  const { prompt } = params;
  const overhead = sizeOfTexts(yield* overheadTexts(params, family), '');
  const after = prompt.findIndex(({ role }) => role !== 'system');
  const first = after === -1 ? prompt.length : after;
  const all: TextSize[] = [];
  for (const message of prompt) {
    const size = sizeOfTexts(yield* messageTexts(message, family), message.role);
    lastSizes[family].set(message, size);
    all.push(size);
    yield;
  }
  const whole = [overhead, ...all];
  const sizes = all.slice(first);
  const characters = sumOf(whole, 'characters');
  const frames = sumOf(whole, 'frames');
  return {
    prompt,
    bound: sumOf(whole, 'bound'),
    estimate: characters / 4 + frames + sumOf(whole, 'files'),
    characters,
    frames,
    overhead,
    systems: prompt.slice(0, first),
    systemCharacters: sumOf(all.slice(0, first), 'characters'),
    messages: prompt.slice(first),
    sizes,
    prefixKeys: prefixKeysOf(sizes),
  };
}

function prefixKeysOf(sizes: readonly TextSize[]): readonly number[] {
  const prefix = { high: 0, low: 0 };
  return sizes.map(({ key }) => {
    mixNumber(prefix, key);
    mixNumber(prefix, key / 0x1_0000_0000);
    return keyOf(prefix);
  });
}
