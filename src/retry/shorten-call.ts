import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ContextOverflow } from '../overflow/context-overflow.ts';
import { believableOverflow } from '../overflow/believable-overflow.ts';
import {
  blindShare,
  learnLimit,
  stricterLimit,
  type LearnedLimit,
} from '../overflow/learn-limit.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { contextLengthOf } from '../tokens/context-lengths/context-length-of.ts';
import type { Composition } from '../composing/compose-prompt.ts';
import { fitCall, type FittedCall } from '../fitting/fit-call.ts';
import type { CallInspection } from '../call/read-call.ts';
import type { SentCall } from '../report/report-call.ts';
import { modelCalibration } from '../sizing/model-calibration.ts';
import { callCounter, countedPrompt, measureWith } from '../sizing/token-measure.ts';

/** A refused call made shorter, ready to be sent once more. */
export interface ShortenedCall {
  readonly params: LanguageModelV4CallOptions;
  readonly inspection: CallInspection;
  readonly composition: Composition | undefined;
  readonly tokens: number;
  /** Tokens under o200k, if it was counted. */
  readonly counted: number | undefined;
  readonly recovery: NonNullable<FittedCall['shortening']>;
  /** Whether the provider stated the limit. */
  readonly isStated: boolean;
  /** What the refusal taught about the model; `undefined` when it gave no reason. */
  readonly learned: LearnedLimit | undefined;
}

/**
 * Makes a call that the provider refused as too long shorter, without a model: to the limit that the
 * error states, else to 0.8 of what was sent. Room for the answer of more than half of the model's
 * context is cut to half of it, in the call itself too.
 *
 * @param sent - The call as it was refused.
 * @throws {ContextOverflowError} when it cannot be made as short as that.
 */
export async function shortenCall(
  { context, inspection, composition }: SentCall,
  sent: CallOptions,
  refusal: ContextOverflow,
): Promise<ShortenedCall> {
  const { options, model, memory, modelKey } = context;
  const { params, policy } = inspection;
  const { maxOutputTokens } = params;
  const counter = await callCounter(params, model);
  await counter.countInSlices(sent.prompt, { abortSignal: params.abortSignal });
  const calibration = modelCalibration(context, policy);
  if (counter.isExact && refusal.tokens !== undefined) {
    const counted = countedPrompt(counter, sent.prompt);
    // A refusal counts the whole prompt and nothing else; one of a step would be the next refusal.
    calibration.learn({ counted, reported: refusal.tokens }, 1);
  }
  const measure = measureWith(counter, calibration.rates());
  const sentTokens = measure.prompt(sent.prompt);
  const acceptedTokens = memory.limits.accepted(modelKey);
  const overflow = believableOverflow(refusal, { sentTokens, maxOutputTokens, acceptedTokens });
  const table = contextLengthOf(model);
  // Configured above what the table knows: where the error states no limit, the table does.
  const isInTable = table.known && table.contextLength < sentTokens;
  const limited = isInTable ? { limit: table.contextLength, ...overflow } : overflow;
  const learned = learnLimit(limited, { sentTokens, maxOutputTokens });
  const known = stricterLimit(memory.limits.recall(modelKey), learned);
  const next = resolvePolicy(options, model, params, known);
  const answerTokens = loweredAnswer(params, learned);
  // Where the answer took the room, the prompt may be short enough as it is.
  const isEnough = next.limit < sentTokens || answerTokens !== undefined;
  const limit = isEnough ? next.limit : Math.floor(sentTokens * blindShare);

  const shorter = { ...inspection, policy: { ...next, limit } };
  const fitted = await fitCall({
    ...shorter,
    toolResults: context.toolResults,
    keyOf: inspection.state.keyOf,
    abortSignal: params.abortSignal,
    measure,
    prompt: sent.prompt,
    composition,
  });
  const { prompt, tokens, shortening } = fitted;
  return {
    params: {
      ...params,
      prompt,
      ...(answerTokens === undefined ? {} : { maxOutputTokens: answerTokens }),
    },
    inspection: shorter,
    composition: fitted.composition,
    tokens,
    counted: fitted.counted,
    recovery: {
      tokensBefore: sentTokens,
      tokensAfter: tokens,
      shortenedMessages: shortening?.shortenedMessages ?? [],
    },
    isStated: overflow.limit !== undefined,
    learned: overflow.isUnexplained === true ? undefined : learned,
  };
}

/** Half of the context, when more than that was reserved for the answer. */
function loweredAnswer(
  { maxOutputTokens }: CallOptions,
  { contextLength, answerTokens }: LearnedLimit,
): number | undefined {
  if (contextLength === undefined) return undefined;
  const half = Math.floor(contextLength / 2);
  return (maxOutputTokens ?? answerTokens ?? 0) > half ? half : undefined;
}
