import type { CallOptions, Message, ModelIdentity } from '../prompt/prompt-types.ts';
import type { TextCounter } from '../tokens/text/create-text-counter.ts';
import { availableTextCounter } from '../tokens/text/load-text-counter.ts';
import { inVocabularyOf } from '../tokens/text/vocabularies.ts';
import { mediaFamilyOf } from '../tokens/files/media-family-of.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { messageCounterOf, type MessageCounter } from '../tokens/message-counter.ts';
import { promptTokens, spareFrameTokens, type SizeRates } from './size-rates.ts';

/** Counts what one call would send, in tokens of its model. */
export interface TokenMeasure {
  /** Tokens of the model for one of o200k. */
  readonly multiplier: number;
  /** Tokens of a prompt under o200k; `undefined` where they are only estimated. */
  readonly counted: (messages: readonly Message[]) => number | undefined;
  /** Tokens of a message. Counted once for each content. */
  readonly message: (message: Message) => number;
  /** Sizes under o200k, frames included, which no learned figure changes. */
  readonly unscaled: {
    readonly message: (message: Message) => number;
    readonly prompt: (messages: readonly Message[]) => number;
    /** What a prompt may take so that it takes no more than so many tokens of the model. */
    readonly room: (tokens: number) => number;
  };
  /** Tokens of each of several messages. */
  readonly each: (messages: readonly Message[]) => readonly number[];
  /** Tokens of several messages. */
  readonly messages: (messages: readonly Message[]) => number;
  /** Tokens of a prompt with tools and response schema, at the most that its provider may take. */
  readonly prompt: (messages: readonly Message[]) => number;
  /** The least they can be. */
  readonly leastPrompt: (messages: readonly Message[]) => number;
  /**
   * Counts messages in slices that leave the event loop to others; their tokens are known from then on.
   * Rejects with the signal's reason when it aborts.
   */
  readonly count: (messages: readonly Message[], abortSignal?: AbortSignal) => Promise<void>;
}

/** Counts of one call under o200k, from which measures are made. */
export interface CallCounter
  extends Omit<MessageCounter, 'countOverhead'>, Pick<TextCounter, 'hold' | 'isExact'> {
  /** Tokens of tools, response schema and the opening of the answer. */
  readonly overhead: number;
  /** Tokens of several messages. */
  readonly total: (messages: readonly Message[]) => number;
}

/** Opens a measure for one call. What has not been counted before is counted at once. */
export async function tokenMeasure(
  params: CallOptions,
  model: ModelIdentity,
  rates: SizeRates,
): Promise<TokenMeasure> {
  return measureWith(await callCounter(params, model), rates);
}

/** Opens the counter of one call. */
export async function callCounter(
  params: Pick<CallOptions, 'tools' | 'toolChoice' | 'responseFormat' | 'abortSignal'>,
  model: ModelIdentity,
): Promise<CallCounter> {
  const counter = inVocabularyOf(model, await availableTextCounter());
  const { countOverhead, ...messageCounter } = messageCounterOf(counter, mediaFamilyOf(model));
  const { hold, isExact } = counter;
  return {
    ...messageCounter,
    hold,
    isExact,
    total: (messages) => messages.reduce((total, entry) => total + messageCounter.count(entry), 0),
    overhead: await countOverhead(params, timeSlices({ abortSignal: params.abortSignal })),
  };
}

/** Tokens of a prompt under o200k, with tools and response schema. */
export function countedPrompt(
  { total, overhead }: CallCounter,
  messages: readonly Message[],
): number {
  return overhead + total(messages);
}

/** Scales the counts of a call to the tokens of its model. */
export function measureWith(counter: CallCounter, rates: SizeRates): TokenMeasure {
  const { count, total, countAll } = counter;
  const { multiplier, least, hidden } = rates;
  // Rounded only here: a rounding for each message would add up to a token for each.
  const message = (entry: Message): number =>
    Math.ceil(count(entry) * multiplier) + spareFrameTokens;
  return {
    multiplier,
    counted: (list) => (counter.isExact ? countedPrompt(counter, list) : undefined),
    message,
    each: (list) => list.map(message),
    messages: (list) => Math.ceil(total(list) * multiplier) + list.length * spareFrameTokens,
    prompt: (list) => Math.ceil(promptTokens(countedPrompt(counter, list), list.length, rates)),
    leastPrompt: (list) => Math.ceil(countedPrompt(counter, list) * least),
    unscaled: {
      message: (entry) => count(entry) + spareFrameTokens,
      prompt: (list) => countedPrompt(counter, list) + list.length * spareFrameTokens,
      room: (tokens) => Math.min(tokens / multiplier, (tokens - hidden) / least),
    },
    count: (messages, abortSignal) => countAll(messages, { abortSignal }),
  };
}
