import { maxModels } from '../prompt/model-name.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';
import { stricterLimit, type LearnedLimit } from './learned-limit.ts';
import { clockMs } from '../util/clock-ms.ts';

/** What was learned of a model's limit, and what it rests on. */
export interface LimitNews {
  /** Tokens of prompt and answer together, if that is what was learned. */
  readonly contextLength?: number | undefined;
  /** Tokens of the prompt alone, if that is what was learned. */
  readonly inputLimit?: number | undefined;
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

/** Keeps, for an hour, what overflow errors taught about models, and what the models have taken. */
export interface LearnedLimits {
  readonly recall: (modelKey: string) => LearnedLimit | undefined;
  /**
   * Keeps what a refusal taught, never a limit below what the model has taken.
   *
   * @returns what is known from now on; `undefined` when that is no news.
   */
  readonly remember: (
    modelKey: string,
    learned: LearnedLimit,
    refusal: Pick<LimitNews, 'evidence' | 'refusedTokens'>,
  ) => LimitNews | undefined;
  /** Keeps that the model took a prompt of a size; a limit that is contradicted is forgotten. */
  readonly accept: (modelKey: string, tokens: number) => void;
  /** The largest size that the model took; 0 if none is known. */
  readonly accepted: (modelKey: string) => number;
  /** Forgets everything about a model, whatever its scope; without one, about all. */
  readonly forget: (model?: ModelIdentity) => void;
}

/** Milliseconds after which a model is tried at its full length again: deployments change. */
const lifetimeMs = 60 * 60_000;
/** Prompts this much larger than a limit contradict it: counts may differ by a little. */
const contradiction = 1.25;

interface Lasting<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Keeps the limits of 1,000 models. */
export function learnedLimits(): LearnedLimits {
  const limits = boundedMap<Lasting<LearnedLimit>>(maxModels);
  const sizes = boundedMap<Lasting<number>>(maxModels);
  const recall = (modelKey: string): LearnedLimit | undefined => current(limits.get(modelKey));
  const accepted = (modelKey: string): number => current(sizes.get(modelKey)) ?? 0;
  return {
    recall,
    accepted,
    remember: (modelKey, learned, { evidence, refusedTokens }) => {
      const acceptedTokens = accepted(modelKey);
      // Refused at less than what was taken before: whatever the reason, it is not the size.
      if (evidence === 'refused' && refusedTokens <= acceptedTokens) return undefined;
      const before = recall(modelKey);
      const next = stricterLimit(before, atLeast(learned, acceptedTokens));
      limits.set(modelKey, lasting(next));
      const { contextLength, inputLimit } = next;
      if (before?.contextLength === contextLength && before?.inputLimit === inputLimit)
        return undefined;
      return { contextLength, inputLimit, evidence, refusedTokens, acceptedTokens };
    },
    accept: (modelKey, tokens) => {
      if (tokens >= accepted(modelKey)) sizes.set(modelKey, lasting(tokens));
      const { contextLength, inputLimit } = recall(modelKey) ?? {};
      const limit = Math.min(contextLength ?? Infinity, inputLimit ?? Infinity);
      if (tokens > limit * contradiction) limits.delete(modelKey);
    },
    forget: (model) => {
      // As models are named in `callContext`.
      const ending =
        model && `,${JSON.stringify(model.provider)},${JSON.stringify(model.modelId)}]`;
      for (const map of [limits, sizes])
        for (const modelKey of map.keys())
          if (modelKey.endsWith(ending ?? '')) map.delete(modelKey);
    },
  };
}

function lasting<Value>(value: Value): Lasting<Value> {
  return { value, until: clockMs() + lifetimeMs };
}

function current<Value>(entry: Lasting<Value> | undefined): Value | undefined {
  return entry === undefined || clockMs() >= entry.until ? undefined : entry.value;
}

function atLeast(limit: LearnedLimit, tokens: number): LearnedLimit {
  const { contextLength, inputLimit } = limit;
  return {
    ...limit,
    contextLength: contextLength === undefined ? undefined : Math.max(contextLength, tokens),
    inputLimit: inputLimit === undefined ? undefined : Math.max(inputLimit, tokens),
  };
}
