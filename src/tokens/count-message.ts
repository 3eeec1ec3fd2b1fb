import type { Message } from '../prompt/prompt-types.ts';
import { fileTokens } from './files/file-tokens.ts';
import type { TextCounter } from './text/create-text-counter.ts';
import { measureMessage } from './measure-message.ts';
import type { MediaFamily } from './files/media-family-of.ts';

export { mediaFamilyOf, type MediaFamily } from './files/media-family-of.ts';

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
