import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { contextLengthOf } from '../tokens/context-length-of.ts';
import { tokenMultiplierOf } from '../tokens/token-multiplier-of.ts';

/** Share of a model's context one call may read; the rest is for the schema and the answer. */
const transcriptShare = 0.6;

/** Tokens that one call of a model may read where the caller sets no limit. */
export function readableTokens(model: ModelIdentity): number {
  const { contextLength, inputLimit } = contextLengthOf(model);
  const tokens = Math.min(transcriptShare * contextLength, inputLimit ?? contextLength);
  return Math.floor(tokens / tokenMultiplierOf(model));
}
