import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** The tokens of a call as a provider sees them: tools first, then one message after the other. */
export function encodePrompt({
  tools,
  prompt,
}: Pick<LanguageModelV4CallOptions, 'tools' | 'prompt'>): readonly (readonly number[])[] {
  const parts = prompt.map((message) => encoded(message).tokens);
  return tools === undefined ? parts : [tokensOf(JSON.stringify(tools)), ...parts];
}

/** Tokens of a call. */
export function promptTokens(options: Parameters<typeof encodePrompt>[0]): number {
  return encodePrompt(options).reduce((total, { length }) => total + length, 0);
}

/** Tokens of one message. */
export function messageTokens(message: LanguageModelV4Message): number {
  return encoded(message).tokens.length;
}

/** A message as it is sent. */
export function messageText(message: LanguageModelV4Message): string {
  return encoded(message).text;
}

interface Encoded {
  readonly text: string;
  readonly tokens: readonly number[];
}

const objects = new WeakMap<LanguageModelV4Message, Encoded>();

function encoded(message: LanguageModelV4Message): Encoded {
  const kept = objects.get(message);
  if (kept !== undefined) return kept;
  const text = JSON.stringify(message);
  const made = { text, tokens: tokensOf(text) };
  objects.set(message, made);
  return made;
}

const known = new Map<string, readonly number[]>();

/** Every message is sent hundreds of times and read once. */
function tokensOf(text: string): readonly number[] {
  const tokens = known.get(text) ?? encode(text);
  known.set(text, tokens);
  return tokens;
}
