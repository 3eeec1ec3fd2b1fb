import { fileTokens, type PromptFile } from './files/file-tokens.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import { stringifyJson, stringifySteps } from '../json/stringify-json.ts';
import { isLargeJson } from '../json/walk-json.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { Steps } from '../util/async/run-steps.ts';
import { measureMessage } from './measure-message.ts';
import type { MediaFamily } from './files/media-family-of.ts';

/**
 * Counts the tokens that one message adds to a call, as it is really sent; the rules are those of
 * `measureMessage`. Texts are counted exactly under o200k; a model's own tokenizer may differ, see
 * `tokenMultiplierOf`.
 */
export function countMessage(counter: TextCounter, message: Message, family: MediaFamily): number {
  return measureMessage(message, {
    text: counter.count,
    file: (file) => fileTokens(file, family),
  });
}

/** The texts of a message whose tokens have to be counted, JSON written out. */
export interface MessageTexts {
  readonly texts: readonly string[];
  /** Tokens of the message, given those of the texts in their order. */
  readonly tokens: (textTokens: readonly number[]) => number;
}

/** Separates what takes long to count from what does not, in steps between which others may work. */
export function* messageTexts(message: Message, family: MediaFamily): Steps<MessageTexts> {
  const texts: string[] = [];
  const file = (part: PromptFile): number => fileTokens(part, family);
  const text = (given: string): number => (texts.push(given), 0);
  const large = new Map<number, object>();
  const json = (value: unknown): number => {
    if (!isLargeJson(value)) return text(stringifyJson(value));
    large.set(texts.length, value);
    return text('');
  };
  measureMessage(message, { text, json, file });
  for (const [index, value] of large) texts[index] = yield* stringifySteps(value);
  return {
    texts,
    tokens: (textTokens) => {
      let index = 0;
      const next = (): number => textTokens[index++] ?? 0;
      return measureMessage(message, { text: next, json: next, file });
    },
  };
}
