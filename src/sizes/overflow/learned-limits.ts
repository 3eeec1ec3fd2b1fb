import { maxModels } from '../../prompt/messages/model-name.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';
import { clockMs } from '../../foundations/util/async/waiting.ts';
import type { ContextOverflow } from './context-overflow.ts';

/** Limits of a model that an overflow error taught. */
export interface LearnedLimit {
  /** Tokens of prompt and answer together, as the provider stated them. */
  readonly contextLength?: number | undefined;
  /** Tokens of the prompt alone. */
  readonly inputLimit?: number | undefined;
  /** Tokens that the provider reserves for an answer when the caller names none. */
  readonly answerTokens?: number | undefined;
  /** Bytes and pictures that a request may hold. */
  readonly maxRequestBytes?: number | undefined;
  readonly maxImages?: number | undefined;
  /** Tokens at which the reported usage stood still while prompts grew: a conclusion that makes an error of no call. */
  readonly readTokens?: number | undefined;
  /** Share of the room for the prompt that may be filled by our count, which is not the provider's. */
  readonly usableShare: number;
}

/** A learned limit of a model, and its evidence. */
export interface LimitUpdate {
  /** Tokens of prompt and answer together, if that is what was learned. */
  readonly contextLength?: number | undefined;
  /** Tokens of the prompt alone, if that is what was learned. */
  readonly inputLimit?: number | undefined;
  /** Bytes of a request, and pictures in it, if that is what was learned. */
  readonly maxRequestBytes?: number | undefined;
  readonly maxImages?: number | undefined;
  /**
   * Whether the provider stated the figure, a share of the refused prompt is tried, or the reported usage stood still
   * at it while prompts grew.
   */
  readonly evidence: 'stated' | 'refused' | 'reported';
  /** Tokens of the refused prompt, or of the one that was cut, as they were counted here. */
  readonly refusedTokens: number;
  /** Tokens of the largest prompt that the model has taken within the hour, as it reported; 0 for none. */
  readonly acceptedTokens: number;
}

/** Milliseconds after which a model is tried at its full length again: deployments change. */
const lifetimeMs = 60 * 60_000;
/** Prompts this much larger than a limit contradict it: counts may differ by a little. */
const contradiction = 1.25;

/** Facts about a model, kept for an hour after the first of them or after its limit was last learned. */
interface KnownModel {
  readonly limit?: LearnedLimit | undefined;
  /** The largest size that it took; 0 if none is known. */
  readonly accepted: number;
  /** The most bytes and pictures that it took. */
  readonly taken: TakenRequest;
  readonly until: number;
}

/** Bytes and pictures of a request. */
interface TakenRequest {
  readonly bytes: number;
  readonly images: number;
}

/** Keeps, for an hour, what overflow errors taught about 1,000 models, and what the models have taken. */
export class LearnedLimits {
  readonly #models = boundedMap<KnownModel>(maxModels);

  recall(modelKey: string): KnownModel {
    const known = this.#models.get(modelKey);
    const now = clockMs();
    return known !== undefined && now < known.until
      ? known
      : { accepted: 0, taken: { bytes: 0, images: 0 }, until: now + lifetimeMs };
  }

  /**
   * Keeps what a refusal taught, never a limit below what the model has taken.
   *
   * @returns what is known from now on; `undefined` when that is no news.
   */
  remember(
    modelKey: string,
    learned: LearnedLimit,
    { evidence, refusedTokens }: Pick<LimitUpdate, 'evidence' | 'refusedTokens'>,
  ): LimitUpdate | undefined {
    const { limit: before, accepted: acceptedTokens, taken } = this.recall(modelKey);
    // Refused at less than what was taken before: whatever the reason, it is not the size.
    const isOfRequest = (learned.maxRequestBytes ?? learned.maxImages) !== undefined;
    if (evidence === 'refused' && refusedTokens <= acceptedTokens && !isOfRequest) return undefined;
    const atLeast = (tokens: number | undefined): number | undefined =>
      tokens === undefined ? undefined : Math.max(tokens, acceptedTokens);
    const next = stricterLimit(before, {
      ...learned,
      contextLength: atLeast(learned.contextLength),
      inputLimit: atLeast(learned.inputLimit),
      readTokens: atLeast(learned.readTokens),
    });
    const until = clockMs() + lifetimeMs;
    this.#models.set(modelKey, { limit: next, accepted: acceptedTokens, taken, until });
    if (limitNames.every((name) => before?.[name] === next[name])) return undefined;
    const { contextLength, maxRequestBytes, maxImages } = next;
    const inputLimit = lesser(next.inputLimit, next.readTokens);
    const figures = { contextLength, inputLimit, maxRequestBytes, maxImages };
    return { ...figures, evidence, refusedTokens, acceptedTokens };
  }

  /** Keeps that the model took a prompt of a size; a limit that is contradicted is forgotten. */
  accept(modelKey: string, tokens: number): void {
    const { limit, accepted, taken, until } = this.recall(modelKey);
    const { contextLength = Infinity, inputLimit = Infinity, readTokens = Infinity } = limit ?? {};
    const least = Math.min(contextLength, inputLimit, readTokens);
    const isContradicted = tokens > least * contradiction;
    this.#models.set(modelKey, {
      limit: isContradicted ? undefined : limit,
      accepted: Math.max(tokens, accepted),
      taken,
      until,
    });
  }

  /** Keeps that the model took so many bytes and pictures. */
  acceptRequest(modelKey: string, { bytes, images }: TakenRequest): void {
    const known = this.recall(modelKey);
    const taken = {
      bytes: Math.max(bytes, known.taken.bytes),
      images: Math.max(images, known.taken.images),
    };
    this.#models.set(modelKey, { ...known, taken });
  }
}

const limitNames = [
  'contextLength',
  'inputLimit',
  'readTokens',
  'maxRequestBytes',
  'maxImages',
] as const;

/** Joins what two errors taught about one model: the stricter counts. */
export function stricterLimit(known: LearnedLimit | undefined, next: LearnedLimit): LearnedLimit {
  if (known === undefined) return next;
  return {
    contextLength: lesser(known.contextLength, next.contextLength),
    inputLimit: lesser(known.inputLimit, next.inputLimit),
    maxRequestBytes: lesser(known.maxRequestBytes, next.maxRequestBytes),
    maxImages: lesser(known.maxImages, next.maxImages),
    answerTokens: next.answerTokens ?? known.answerTokens,
    readTokens: lesser(known.readTokens, next.readTokens),
    usableShare: Math.min(known.usableShare, next.usableShare),
  };
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

/** Share of what was sent that is tried next when nothing better is known. */
export const blindRetryShare = 0.8;

/** Room for what our count may be off by: there is only one retry. */
const margin = 0.95;

/** No count is further off than this; a figure that says so speaks of something else. */
const leastScale = 0.5;
const mostScale = 2;

/**
 * The same where limit and count are both stated, and the count is above the limit: some vocabularies make seven tokens of
 * what o200k has one for.
 */
const leastStatedScale = 1 / 8;

/** Facts about a refused call. */
export interface RefusedCall {
  /** Our count of the refused prompt. */
  readonly sentTokens: number;
  readonly maxOutputTokens?: number | undefined;
}

/**
 * Works out from an overflow what may be sent to the model. The provider's count of the refused prompt,
 * where it states one, corrects ours.
 */
export function learnLimit(
  overflow: ContextOverflow,
  { sentTokens, maxOutputTokens }: RefusedCall,
): LearnedLimit {
  const { limit, isInputLimit = false, tokens } = overflow;
  if (limit === undefined)
    return { inputLimit: Math.floor(sentTokens * blindRetryShare), usableShare: 1 };
  if (isInputLimit)
    return { inputLimit: limit, usableShare: usableShare(limit, sentTokens, tokens) };
  const answerTokens = maxOutputTokens === undefined ? overflow.answerTokens : undefined;
  const reserve = Math.min(maxOutputTokens ?? answerTokens ?? 0, Math.floor(limit / 2));
  return {
    contextLength: limit,
    ...(answerTokens === undefined ? {} : { answerTokens }),
    usableShare: usableShare(limit - reserve, sentTokens, tokens),
  };
}

function usableShare(room: number, sentTokens: number, tokens: number | undefined): number {
  const scale = tokens === undefined ? undefined : sentTokens / tokens;
  const least = tokens !== undefined && tokens > room ? leastStatedScale : leastScale;
  if (scale !== undefined && scale >= least && scale <= mostScale)
    return margin * Math.min(1, scale);
  // Above the limit by our count too: the configured limit was wrong, not the count.
  if (sentTokens > room) return margin;
  return Math.max(leastScale, (sentTokens * blindRetryShare) / room);
}
