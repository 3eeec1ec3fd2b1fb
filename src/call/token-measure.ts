import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import { cachedOverhead } from '../tokens/overhead-counter.ts';
import { availableTextCounter } from '../tokens/available-text-counter.ts';
import { mediaFamilyOf } from '../tokens/media-family-of.ts';
import { messageCounterOf, type MessageCounter } from '../tokens/message-counter.ts';

/** Counts what one call would send, in tokens of its model. */
export interface TokenMeasure {
  /** Tokens of the model for one of o200k. */
  readonly multiplier: number;
  /** Tokens of a message. Counted once for each content. */
  readonly message: (message: Message) => number;
  /** Tokens of a message under o200k, which no learned figure changes. */
  readonly unscaled: (message: Message) => number;
  /** Tokens of several messages. */
  readonly messages: (messages: readonly Message[]) => number;
  /** Tokens of a prompt with tools and response schema. */
  readonly prompt: (messages: readonly Message[]) => number;
  /**
   * Counts messages in slices that leave the event loop to others; their tokens are known from then on.
   * Rejects with the signal's reason when it aborts.
   */
  readonly count: (messages: readonly Message[], abortSignal?: AbortSignal) => Promise<void>;
}

/** Counts of one call under o200k, from which measures are made. */
export interface CallCounter extends MessageCounter {
  /** Tokens of tools, response schema and the opening of the answer. */
  readonly overhead: number;
  /** Whether texts are counted, not estimated. */
  readonly isExact: boolean;
}

/** Opens a measure for one call. What has not been counted before is counted at once. */
export async function tokenMeasure(
  params: CallOptions,
  model: ModelIdentity,
  multiplier: number,
): Promise<TokenMeasure> {
  return measureWith(await callCounter(params, model), multiplier);
}

/** Opens the counter of one call. */
export async function callCounter(
  params: Pick<CallOptions, 'tools' | 'toolChoice' | 'responseFormat'>,
  model: ModelIdentity,
): Promise<CallCounter> {
  const counter = await availableTextCounter();
  const family = mediaFamilyOf(model);
  return {
    ...messageCounterOf(counter, family),
    overhead: cachedOverhead(counter, params, family),
    isExact: counter.isExact,
  };
}

/** Scales the counts of a call to the tokens of its model. */
export function measureWith(
  { count, countInSlices, overhead }: CallCounter,
  multiplier: number,
): TokenMeasure {
  const sum = (list: readonly Message[]): number =>
    list.reduce((total, entry) => total + count(entry), 0);
  // Rounded only here: a rounding for each message would add up to a token for each.
  return {
    multiplier,
    message: (entry) => Math.ceil(count(entry) * multiplier),
    unscaled: count,
    messages: (list) => Math.ceil(sum(list) * multiplier),
    prompt: (list) => Math.ceil((overhead + sum(list)) * multiplier),
    count: (list, abortSignal) => countInSlices(list, { abortSignal }),
  };
}
