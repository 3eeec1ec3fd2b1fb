import { boundedMap } from '../collections/bounded-map.ts';
import { stricterLimit, type LearnedLimit } from '../recovery/learn-limit.ts';

/** Remembers what overflow errors taught about models. */
export interface LimitMemory {
  readonly recall: (model: string) => LearnedLimit | undefined;
  readonly remember: (model: string, limit: LearnedLimit) => void;
}

const maxModels = 1000;

/** Makes a memory of 1,000 models. */
export function limitMemory(): LimitMemory {
  const limits = boundedMap<LearnedLimit>(maxModels);
  return {
    recall: limits.get,
    remember: (model, limit) => limits.set(model, stricterLimit(limits.get(model), limit)),
  };
}
