import type { SharedV4Warning } from '@ai-sdk/provider';
import { boundedMap } from '../util/bounded-map.ts';

/** Keeps what is to be said in the `warnings` of a model's answers, each cause once for the process. */
export interface WarningMemory {
  /**
   * Keeps a message for the next answer of a model, unless its cause has been told: what is to be mended,
   * whatever the message says of it.
   */
  readonly note: (
    modelKey: string,
    warning: { readonly cause: string; readonly message: string },
  ) => void;
  /** Whether the next answer of a model has something to tell. */
  readonly isWaiting: (modelKey: string) => boolean;
  /** Takes what an answer of a model is to tell; it counts as told from then on. */
  readonly take: (modelKey: string) => readonly Extract<SharedV4Warning, { type: 'other' }>[];
}

/** Characters of causes that are remembered as told. */
const maxToldCharacters = 100_000;
const maxModels = 1000;
const maxWaitingOfModel = 20;

/** Makes a memory of 1,000 models. */
export function warningMemory(): WarningMemory {
  const told = boundedMap<true>(maxToldCharacters, (cause) => cause.length);
  const waiting = boundedMap<Map<string, string>>(maxModels);
  return {
    note: (modelKey, { cause, message }) => {
      if (told.get(cause) === true) return;
      const ofModel = waiting.get(modelKey) ?? new Map<string, string>();
      if (ofModel.size >= maxWaitingOfModel) return;
      ofModel.set(cause, message);
      waiting.set(modelKey, ofModel);
    },
    isWaiting: (modelKey) => waiting.get(modelKey) !== undefined,
    take: (modelKey) => {
      const ofModel = [...(waiting.get(modelKey) ?? [])];
      waiting.delete(modelKey);
      // Another model's answer may have told of a cause that they share.
      const untold = ofModel.filter(([cause]) => told.get(cause) !== true);
      for (const [cause] of untold) told.set(cause, true);
      return untold.map(([, message]) => ({
        type: 'other',
        message: `ai-sdk-summarization: ${message}`,
      }));
    },
  };
}
