import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { contextLengthOf, type ContextLength } from '../tokens/context-length-of.ts';
import { tokenMultiplierOf } from '../tokens/token-multiplier-of.ts';

/** Share of a model's context one call may read; the rest is for the schema and the answer. */
const transcriptShare = 0.6;

/**
 * Tokens, as o200k counts them, that one call of a model may read where the caller sets no limit.
 *
 * @param contextLength - Tokens the model accepts, where the table does not know or is wrong.
 */
export function readableTokens(model: ModelIdentity, contextLength?: number): number {
  const limits: Pick<ContextLength, 'contextLength' | 'inputLimit'> =
    contextLength === undefined ? contextLengthOf(model) : { contextLength };
  const tokens = Math.min(transcriptShare * limits.contextLength, limits.inputLimit ?? Infinity);
  return Math.floor(tokens / tokenMultiplierOf(model));
}
