import { fitPrompt, type FittedCall } from '../fitting/fit-prompt.ts';
import type { ContextOverflow } from '../overflow/context-overflow.ts';
import { believableOverflow, blindShare, learnLimit } from '../overflow/learn-limit.ts';
import { stricterLimit, type LearnedLimit } from '../overflow/learned-limit.ts';
import type { LimitNews } from '../overflow/learned-limits.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import {
  callCounter,
  countedPrompt,
  measureWith,
  type TokenMeasure,
} from '../sizing/token-measure.ts';
import { lengthInTable } from '../tokens/context-lengths/length-in-table.ts';
import type { SentCall } from './sent-call.ts';

/** A refused call made shorter, ready to be sent once more. */
export interface ShortenedCall {
  /** The call as it is sent now, with the report of the refused one. */
  readonly call: SentCall;
  readonly tokens: number;
  readonly shortening: NonNullable<FittedCall['shortening']>;
  /** What the refusal taught about the model; `undefined` when it gave no reason. */
  readonly learned: LearnedLimit | undefined;
  /** Whether the provider stated the limit. */
  readonly evidence: LimitNews['evidence'];
}

/**
 * Makes a call that the provider refused as too long shorter, without a model: to the limit that the
 * error states, else to 0.8 of what was sent. Room for the answer of more than half of the model's
 * context is cut to half of it, in the call itself too.
 *
 * @throws {ContextOverflowError} when it cannot be made as short as that.
 */
export async function shortenCall(
  call: SentCall,
  refusal: ContextOverflow,
): Promise<ShortenedCall> {
  const { params, model, modelKey, memory } = call;
  const { prompt, maxOutputTokens, abortSignal } = params;
  const measure = await measureRefused(call, refusal);
  const sentTokens = measure.prompt(prompt);
  const acceptedTokens = memory.limits.accepted(modelKey);
  const overflow = believableOverflow(refusal, { sentTokens, maxOutputTokens, acceptedTokens });
  const table = lengthInTable(model);
  // Configured above what the table knows: where the error states no limit, the table does.
  const isInTable = table.known && table.contextLength < sentTokens;
  const limited = isInTable ? { limit: table.contextLength, ...overflow } : overflow;
  const learned = learnLimit(limited, { sentTokens, maxOutputTokens });
  const next = call.policyAfter(stricterLimit(memory.limits.recall(modelKey), learned));
  const lowered = loweredAnswer(params, learned);
  // Where the answer took the room, the prompt may be short enough as it is.
  const isEnough = next.limit < sentTokens || lowered.maxOutputTokens !== undefined;
  const limit = isEnough ? next.limit : Math.floor(sentTokens * blindShare);

  const policy = { ...next, limit };
  const fitted = await fitPrompt({ ...call, policy, measure, prompt, abortSignal });
  const { composition, tokens, counted } = fitted;
  return {
    call: {
      ...call,
      params: { ...params, prompt: fitted.prompt, ...lowered },
      policy,
      composition,
      counted: { prompt: fitted.prompt, tokens: counted },
    },
    tokens,
    shortening: {
      tokensBefore: sentTokens,
      tokensAfter: tokens,
      shortenedMessages: fitted.shortening?.shortenedMessages ?? [],
    },
    learned: overflow.isUnexplained === true ? undefined : learned,
    evidence: overflow.limit === undefined ? 'refused' : 'stated',
  };
}

/** Counts a refused prompt, and learns from the count that its refusal states. */
async function measureRefused(
  { params, model, calibration }: SentCall,
  { tokens }: ContextOverflow,
): Promise<TokenMeasure> {
  const { prompt, abortSignal } = params;
  const counter = await callCounter(params, model);
  await counter.countAll(prompt, abortSignal);
  if (counter.isExact && tokens !== undefined) {
    const counted = countedPrompt(counter, prompt);
    // A refusal counts the whole prompt and nothing else; one of a step would be the next refusal.
    calibration.learn({ counted, reported: tokens }, 1);
  }
  return measureWith(counter, calibration.rates());
}

/** Half of the context, when more than that was reserved for the answer. */
function loweredAnswer(
  { maxOutputTokens }: CallOptions,
  { contextLength, answerTokens }: LearnedLimit,
): Pick<CallOptions, 'maxOutputTokens'> {
  if (contextLength === undefined) return {};
  const half = Math.floor(contextLength / 2);
  return (maxOutputTokens ?? answerTokens ?? 0) > half ? { maxOutputTokens: half } : {};
}
