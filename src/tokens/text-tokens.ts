import type { CallOptions } from '../prompt/prompt-types.ts';
import { measureMessage, type PromptMeasure } from './measure-message.ts';
import { measureOverhead } from './measure-overhead.ts';
import type { MediaFamily } from './files/media-family-of.ts';
import type { PromptScan } from './scan-prompt.ts';

/** Characters that a token of common text hardly ever exceeds on average: English takes 4 to 5. */
const mostCommonCharacters = 6;

const framesOnly: PromptMeasure = { text: () => 0, json: () => 0, file: () => 0 };

/**
 * Tokens of o200k that texts and files of a counted prompt take, without the frames we assume around
 * them: a provider may have none.
 */
export function textTokens(params: CallOptions, counted: number, family: MediaFamily): number {
  const frames = params.prompt.reduce(
    (total, message) => total + measureMessage(message, framesOnly),
    measureOverhead(params, framesOnly, family),
  );
  return Math.max(0, counted - frames);
}

/** The same for a prompt that was not counted: what its texts and files take at the least. */
export function leastTextTokens({ characters, files }: PromptScan): number {
  return files.reduce((total, tokens) => total + tokens, characters / mostCommonCharacters);
}
