import type { CallOptions, ModelIdentity } from '../prompt/prompt-types.ts';
import { fileTokens } from './files/file-tokens.ts';
import { measureSteps, type PromptMeasure } from './measure-message.ts';
import { overheadSteps } from './measure-overhead.ts';
import { mediaFamilyOf, type MediaFamily } from './files/media-family-of.ts';
import { runAtOnce, type Steps } from '../util/run-steps.ts';
import { utf8Length } from '../util/utf8-length.ts';

const mediaFamilies: readonly MediaFamily[] = ['openai', 'anthropic', 'google', 'other'];

/**
 * Gives a number that the o200k count of the call can never exceed, without a tokenizer: a token takes
 * at least one byte of UTF-8. Frames and files count as in `countPromptTokens`; without a model, by
 * the dearest family. About four times the count for English, twice for Chinese. For another
 * tokenizer than OpenAI's, multiply.
 */
export function upperBoundTokens(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  model?: ModelIdentity,
): number {
  return runAtOnce(upperBoundSteps(params, model));
}

/** The same in steps between which others may work. */
export function* upperBoundSteps(
  params: Pick<CallOptions, 'prompt'> & Partial<CallOptions>,
  model?: ModelIdentity,
): Steps<number> {
  const candidates = model === undefined ? mediaFamilies : [mediaFamilyOf(model)];
  const measure: PromptMeasure = {
    text: utf8Length,
    file: (file) => Math.max(...candidates.map((family) => fileTokens(file, family))),
  };
  const overhead = yield* overheadSteps(params, measure, undefined);
  return overhead + (yield* measureSteps(params.prompt, measure));
}
