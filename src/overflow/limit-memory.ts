import { boundedMap } from '../util/bounded-map.ts';
import { stricterLimit, type LearnedLimit } from './learn-limit.ts';

/** Remembers, for an hour, what overflow errors taught about models, and what the models have taken. */
export interface LimitMemory {
  readonly recall: (model: string) => LearnedLimit | undefined;
  /** Remembers a limit, never one below what the model has taken. Says whether it is news. */
  readonly remember: (model: string, limit: LearnedLimit) => boolean;
  /** Remembers that the model took a prompt of a size; a limit that is contradicted is forgotten. */
  readonly accept: (model: string, tokens: number) => void;
  /** The largest size that the model took; 0 if none is known. */
  readonly accepted: (model: string) => number;
  /** Forgets everything about the models whose name ends so; without a name, about all. */
  readonly forget: (ending?: string) => void;
}

/** Milliseconds after which a model is tried at its full length again: deployments change. */
const lifetimeMs = 60 * 60_000;
const maxModels = 1000;
/** Prompts this much larger than a limit contradict it: counts may differ by a little. */
const contradiction = 1.25;

interface Lasting<Value> {
  readonly value: Value;
  readonly until: number;
}

/** Makes a memory of 1,000 models. */
export function limitMemory(): LimitMemory {
  const limits = boundedMap<Lasting<LearnedLimit>>(maxModels);
  const sizes = boundedMap<Lasting<number>>(maxModels);
  const recall = (model: string): LearnedLimit | undefined => current(limits.get(model));
  const accepted = (model: string): number => current(sizes.get(model)) ?? 0;
  return {
    recall,
    accepted,
    remember: (model, limit) => {
      const before = recall(model);
      const next = stricterLimit(before, atLeast(limit, accepted(model)));
      limits.set(model, lasting(next));
      return before?.contextLength !== next.contextLength || before?.inputLimit !== next.inputLimit;
    },
    accept: (model, tokens) => {
      if (tokens >= accepted(model)) sizes.set(model, lasting(tokens));
      const { contextLength, inputLimit } = recall(model) ?? {};
      const limit = Math.min(contextLength ?? Infinity, inputLimit ?? Infinity);
      if (tokens > limit * contradiction) limits.delete(model);
    },
    forget: (ending = '') => {
      for (const map of [limits, sizes])
        for (const model of map.keys()) if (model.endsWith(ending)) map.delete(model);
    },
  };
}

function lasting<Value>(value: Value): Lasting<Value> {
  return { value, until: performance.now() + lifetimeMs };
}

function current<Value>(entry: Lasting<Value> | undefined): Value | undefined {
  return entry === undefined || performance.now() >= entry.until ? undefined : entry.value;
}

function atLeast(limit: LearnedLimit, tokens: number): LearnedLimit {
  const { contextLength, inputLimit } = limit;
  return {
    ...limit,
    contextLength: contextLength === undefined ? undefined : Math.max(contextLength, tokens),
    inputLimit: inputLimit === undefined ? undefined : Math.max(inputLimit, tokens),
  };
}
