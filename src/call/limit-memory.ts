import type { ModelIdentity } from '../prompt/prompt-types.ts';
import { stricterLimit, type LearnedLimit } from '../recovery/learn-limit.ts';

/** Remembers, for the process, what overflow errors taught about models. */
export interface LimitMemory {
  readonly recall: (model: ModelIdentity) => LearnedLimit | undefined;
  readonly remember: (model: ModelIdentity, limit: LearnedLimit) => void;
}

const maxModels = 1000;

/** Makes a memory of the last 1,000 models of one middleware. */
export function limitMemory(): LimitMemory {
  const limits = new Map<string, LearnedLimit>();
  return {
    recall: (model) => limits.get(keyOf(model)),
    remember: (model, limit) => {
      const key = keyOf(model);
      const joined = stricterLimit(limits.get(key), limit);
      limits.delete(key);
      limits.set(key, joined);
      const [oldest] = limits.keys();
      if (limits.size > maxModels && oldest !== undefined) limits.delete(oldest);
    },
  };
}

function keyOf({ provider, modelId }: ModelIdentity): string {
  return `${provider}:${modelId}`;
}
