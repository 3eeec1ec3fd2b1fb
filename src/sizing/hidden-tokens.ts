import { maxModels } from '../prompt/model-name.ts';
import { boundedMap } from '../util/maps/bounded-map.ts';

/** What providers add to every prompt, by model: the least that the last reports leave room for. */
export interface HiddenTokens {
  /** Tokens added at the most; 0 as long as nothing was reported. */
  readonly of: (model: string) => number;
  /** Learns that a report was this much above the texts of its prompt. */
  readonly learn: (model: string, tokens: number) => void;
}

/** Reports remembered for a model: one that says too much is outvoted by the next. */
const maxReports = 4;

/** Makes a memory that knows of nothing hidden. */
export function hiddenTokens(): HiddenTokens {
  const reports = boundedMap<readonly number[]>(maxModels);
  return {
    of: (model) => Math.min(...(reports.get(model) ?? [0])),
    learn: (model, tokens) => {
      const before = reports.get(model) ?? [];
      reports.set(model, [...before.slice(1 - maxReports), Math.max(0, tokens)]);
    },
  };
}
