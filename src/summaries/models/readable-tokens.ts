import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { learnLimit } from '../../sizes/overflow/learned-limits.ts';
import type { ContextOverflow } from '../../sizes/overflow/context-overflow.ts';
import { lengthInTable, type ContextLength } from '../../sizes/tokens/context-lengths.ts';
import { tokenMultiplierOf } from '../../sizes/tokens/model-family.ts';
import type { SummaryInput } from '../strategies/summary-strategy.ts';
import { nameOfModel } from './resolve-model.ts';

/** Calls of summarizing models by which the messages of one summary are read, at most. */
export const mostCalls = 8;

/** Tokens that the answer of a summarizing model may take, its reasoning included, and their share of a small context. */
const mostAnswerTokens = 8000;
const answerShare = 1 / 8;

/** Tokens of the schema of a record, 250, and of what frames the messages of a request. */
const requestFrameTokens = 300;

/** Share of the room that is used: a count of tokens may be a little low, and a refusal costs a call. */
const usedShare = 0.95;

/** Tokens of the instructions for a record, rounded up. */
const instructionTokens = 1300;

/** Least tokens that servers accept. */
const leastServed = 8000;

type Limits = Pick<ContextLength, 'contextLength' | 'inputLimit'>;

/**
 * Tokens, as o200k counts them, that one call of a model may read where the caller sets no limit.
 *
 * @param contextLength - Tokens the model accepts, where the table does not know or is wrong.
 * @param multiplier - Its tokens for one of o200k. Default: what is known of its tokenizer.
 */
export function readableTokens(
  model: ModelIdentity,
  contextLength?: number,
  multiplier: number = tokenMultiplierOf(model),
): number {
  const limits: Limits = contextLength === undefined ? lengthInTable(model) : { contextLength };
  return Math.floor(besideAnswer(limits) / multiplier);
}

/** Known limits of how much the models of a summary read. */
type ReadableInput = Pick<
  SummaryInput,
  'maxTranscriptTokens' | 'declaredContextLength' | 'contextLength' | 'tokenMultiplier'
> & { readonly model: ModelIdentity };

/** Tokens, as o200k counts them, that one call of a model may read for a summary of a conversation. */
export function readableForSummary(input: ReadableInput, model: ModelIdentity): number {
  if (input.maxTranscriptTokens !== undefined) return input.maxTranscriptTokens;
  const declared = input.declaredContextLength?.(model);
  if (nameOfModel(model) !== nameOfModel(input.model)) return readableTokens(model, declared);
  const { contextLength = 0, tokenMultiplier } = input;
  const table = lengthInTable(model);
  // A server may accept less than the table says of its model. A limit that hardly holds the instructions is a budget of
  // the conversation: the model reads as much as it can.
  const most = table.known ? table.contextLength : 0;
  const isTable =
    declared === undefined &&
    most >= contextLength &&
    (most === contextLength || contextLength < leastServed);
  const ofTable = readableTokens(model, undefined, tokenMultiplier);
  if (isTable) return ofTable;
  const room = readableTokens(model, declared ?? contextLength, tokenMultiplier);
  // The model may accept less as input.
  return declared === undefined && most > contextLength ? Math.min(room, ofTable) : room;
}

/**
 * Tokens of messages that one call can read of a model whose prompts have a limit, in its own tokens.
 *
 * @param priorTokens - Tokens of the record that is continued.
 */
export function readableOfPrompt(limit: number, priorTokens: number): number {
  return besideAnswer({ contextLength: limit }) - instructionTokens - priorTokens;
}

/**
 * Tokens, as o200k counts them, that one call may read of a model that has refused a request as too long: half of it
 * where it does not say how much it accepts.
 *
 * @param sentTokens - Tokens of the refused request, as o200k counts them.
 */
export function readableAfter(overflow: ContextOverflow, sentTokens: number): number {
  if (overflow.limit === undefined || overflow.unit !== undefined)
    return Math.floor(sentTokens / 2);
  const learned = learnLimit(overflow, { sentTokens });
  const room = besideAnswer({ ...learned, contextLength: learned.contextLength ?? Infinity });
  return Math.max(0, Math.floor(room * learned.usableShare));
}

function besideAnswer({ contextLength, inputLimit = contextLength }: Limits): number {
  const answer = Math.min(mostAnswerTokens, answerShare * contextLength);
  return usedShare * Math.min(contextLength - answer, inputLimit) - requestFrameTokens;
}
