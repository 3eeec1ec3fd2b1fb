import { readdirSync, readFileSync } from 'node:fs';
import type { ModelMessage } from 'ai';
import { decode, encode } from 'gpt-tokenizer/encoding/o200k_base';
import makeLongConversation from './long-conversation.mjs';

/** A question about the part of a conversation that is summarized, written from its full text. */
export interface Question {
  readonly question: string;
  readonly answer: string;
  readonly type: string;
  /** A text states the answer where one pattern of each group is found within one stretch of it. */
  readonly states: readonly (readonly string[])[];
  /** Patterns of statements that are untrue. */
  readonly false: readonly string[];
}

export interface Conversation {
  readonly name: string;
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly questions: readonly Question[];
  /** Tokens that its model accepts. */
  readonly contextLength: number;
  /** Indices of messages before which a summary is asked for. */
  readonly cuts: readonly number[];
}

const folder = new URL('conversations/', import.meta.url);

/** The conversations of the folder, each summarized three times in a chain, and a long one that is summarized once. */
export function loadConversations(): readonly Conversation[] {
  const short = readdirSync(folder).map((file) => {
    const read: Omit<Conversation, 'contextLength' | 'cuts'> = JSON.parse(
      readFileSync(new URL(file, folder), 'utf8'),
    );
    const thirds = [1, 2, 3].map((third) =>
      turnBefore(read.messages, (third / 3) * tokensOf(read.messages)),
    );
    return { ...read, contextLength: 8000, cuts: thirds };
  });
  const long: Omit<Conversation, 'contextLength' | 'cuts'> = makeLongConversation();
  return [
    ...short,
    { ...long, contextLength: 128_000, cuts: [turnBefore(long.messages, Infinity)] },
  ];
}

/** The index after the last message of the user by which a conversation has no more tokens than so many. */
function turnBefore(messages: readonly ModelMessage[], tokens: number): number {
  let [sum, index] = [0, 0];
  for (const [at, message] of messages.entries()) {
    sum += tokensOf([message]);
    if (sum > tokens) break;
    if (message.role === 'user') index = at + 1;
  }
  return index;
}

/** Tokens of messages, as their JSON. */
export function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + countTokens(textOf(message)), 0);
}

/** Tokens of a text, by o200k. */
export function countTokens(text: string): number {
  return encode(text, { allowedSpecial: 'all' }).length;
}

/** The beginning of a text, of so many tokens at most. */
export function beginningOf(text: string, tokens: number): string {
  return decode(encode(text, { allowedSpecial: 'all' }).slice(0, tokens));
}

/** What a message says, with the calls and answers of tools. */
export function textOf({ role, content }: ModelMessage): string {
  if (typeof content === 'string') return `${role}: ${content}`;
  const parts = content.map((part) => {
    if (part.type === 'text') return part.text;
    if (part.type === 'tool-call') return `${part.toolName}(${JSON.stringify(part.input)})`;
    if (part.type !== 'tool-result' || !('value' in part.output)) return '';
    const { value } = part.output;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  return `${role}: ${parts.join('\n')}`;
}
