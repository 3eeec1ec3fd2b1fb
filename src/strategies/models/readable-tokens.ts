import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { learnLimit } from '../../overflow/learn-limit.ts';
import type { ContextOverflow } from '../../overflow/context-overflow.ts';
import { lengthInTable, type ContextLength } from '../../tokens/context-lengths/length-in-table.ts';
import { tokenMultiplierOf } from '../../tokens/token-multiplier-of.ts';
import type { SummaryInput } from '../summary-strategy.ts';

/** Share of a model's context one call may read; the rest is for the schema and the answer. */
const transcriptShare = 0.6;

/** Tokens of the schema of a record, 250, and of what frames the messages of a request. */
const requestFrameTokens = 300;

/**
 * Tokens, as o200k counts them, that one call of a model may read where the caller sets no limit.
 *
 * @param contextLength - Tokens the model accepts, where the table does not know or is wrong.
 */
export function readableTokens(model: ModelIdentity, contextLength?: number): number {
  const limits: Pick<ContextLength, 'contextLength' | 'inputLimit'> =
    contextLength === undefined ? lengthInTable(model) : { contextLength };
  const tokens = Math.min(transcriptShare * limits.contextLength, limits.inputLimit ?? Infinity);
  return Math.floor(tokens / tokenMultiplierOf(model));
}

/** Tokens, as o200k counts them, that one call of a model may read for a summary of a conversation. */
export function readableForSummary(input: SummaryInput, model: ModelIdentity): number {
  const { maxTranscriptTokens, maxSummaryTokens } = input;
  if (maxTranscriptTokens !== undefined) return maxTranscriptTokens;
  const isOwnModel =
    model.provider === input.model.provider && model.modelId === input.model.modelId;
  const declared = input.declaredContextLength?.(model);
  if (!isOwnModel) return readableTokens(model, declared);
  const contextLength = declared ?? input.contextLength;
  // In a table, the whole model counts: the length for its conversation may be a budget.
  if (contextLength === undefined || (declared === undefined && lengthInTable(model).known))
    return readableTokens(model);
  // The messages were just in a prompt that the model took, so that they mostly fit at once.
  const { tokenMultiplier = tokenMultiplierOf(model) } = input;
  return Math.floor(besideAnswer(contextLength, maxSummaryTokens) / tokenMultiplier);
}

/**
 * Tokens, as o200k counts them, that one call may read of a model that has refused a request as too long.
 *
 * @param sentTokens - Of the refused request, as o200k counts them.
 */
export function readableAfter(
  overflow: ContextOverflow,
  sentTokens: number,
  maxSummaryTokens: number,
): number {
  const { contextLength, inputLimit, usableShare } = learnLimit(overflow, { sentTokens });
  const room =
    contextLength === undefined
      ? (inputLimit ?? sentTokens) - requestFrameTokens
      : besideAnswer(contextLength, maxSummaryTokens);
  return Math.max(0, Math.floor(room * usableShare));
}

function besideAnswer(contextLength: number, maxSummaryTokens: number): number {
  return contextLength - maxSummaryTokens - requestFrameTokens;
}
