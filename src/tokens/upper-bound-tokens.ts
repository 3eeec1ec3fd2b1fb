import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { fileTokens } from './files/file-tokens.ts';
import { measureSteps } from './measure-message.ts';
import { overheadSteps } from './measure-overhead.ts';
import { mediaFamilyOf } from './files/media-family-of.ts';
import type { Steps } from '../util/async/run-steps.ts';
import { utf8Length } from '../util/strings/utf8-length.ts';

/**
 * Gives a number that the o200k count of the call can never exceed, without a tokenizer, in steps between
 * which others may work: a token takes at least one byte of UTF-8. Frames and files count as in
 * `countPromptTokens`. About four times the count for English, twice for Chinese. For another tokenizer
 * than OpenAI's, multiply.
 */
export function* upperBoundTokens(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  model: ModelIdentity,
): Steps<number> {
  const family = mediaFamilyOf(model);
  const measure = {
    text: utf8Length,
    file: (file: Parameters<typeof fileTokens>[0]) => fileTokens(file, family),
  };
  const overhead = yield* overheadSteps(params, measure, undefined);
  return overhead + (yield* measureSteps(params.prompt, measure));
}
