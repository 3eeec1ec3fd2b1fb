import { readFileSync } from 'node:fs';

/** What an error says of the size. */
export interface StatedSizes {
  /** Tokens the model accepts. */
  readonly limit?: number;
  /** Whether the limit is one of the prompt alone, the answer not counted. */
  readonly isInputLimit?: boolean;
  /** Tokens of the prompt that was refused. */
  readonly tokens?: number;
  /** Tokens that were reserved for the answer. */
  readonly answerTokens?: number;
}

/** An error by which a provider refused a prompt that was too long, as users reported it. */
export interface OverflowError {
  readonly id: string;
  /** The provider package that reaches it. */
  readonly client:
    | 'openai'
    | 'anthropic'
    | 'google'
    | 'amazon-bedrock'
    | 'mistral'
    | 'openai-compatible';
  /** 200 for an event of a stream. */
  readonly status: number;
  readonly body: object;
  /** What it states. */
  readonly stated: StatedSizes;
}

/** Overflow errors of every provider we have a report of. */
export const overflowErrors: readonly OverflowError[] = JSON.parse(listIn('overflow-errors.jsonl'));

/** Errors of providers that have nothing to do with the length of a prompt. */
export const otherErrors: readonly (readonly [name: string, status: number, body: object])[] =
  JSON.parse(listIn('other-errors.jsonl'));

/** Texts by which servers refuse a request as too large, with what they say of it. */
export const refusedWords: readonly (readonly [
  status: number,
  text: string,
  says: { readonly limit?: number; readonly unit?: 'bytes' | 'images' },
])[] = JSON.parse(listIn('refused-words.jsonl'));

/** Texts by which they refuse something else. */
export const otherWords: readonly (readonly [status: number, text: string])[] = JSON.parse(
  listIn('other-words.jsonl'),
);

function listIn(file: string): string {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8').trim();
  return `[${lines.replaceAll('\n', ',')}]`;
}

/** An error body as OpenAI, and whoever copies its API, writes it. */
export function openai(message: string, code: string | number | null): object {
  return { error: { message, type: 'invalid_request_error', param: 'messages', code } };
}

/** An error body of Anthropic's Messages API. */
export function anthropic(message: string, type = 'invalid_request_error'): object {
  return { type: 'error', error: { type, message }, request_id: 'req_011CWdepJvA2D819tdYYq4h7' };
}

/** An error body of Amazon Bedrock. */
export function bedrock(message: string): object {
  return { message };
}
