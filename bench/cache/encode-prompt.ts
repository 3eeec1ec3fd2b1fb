import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';

/** The tokens of a call as a provider sees them: tools first, then one message after the other. */
export function encodePrompt({ tools, prompt }: LanguageModelV4CallOptions): readonly number[] {
  return [
    ...(tools === undefined ? [] : tokensOf(JSON.stringify(tools))),
    ...prompt.flatMap((message) => tokensOf(JSON.stringify(message))),
  ];
}

/** Tokens of one message. */
export function messageTokens(message: LanguageModelV4Message): number {
  return tokensOf(JSON.stringify(message)).length;
}

const known = new Map<string, readonly number[]>();

/** Every message is sent hundreds of times and read once. */
function tokensOf(text: string): readonly number[] {
  const tokens = known.get(text) ?? encode(text);
  known.set(text, tokens);
  return tokens;
}
