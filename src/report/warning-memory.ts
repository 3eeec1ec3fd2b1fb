import { maxModels } from '../prompt/model-name.ts';
import type { SharedV4Warning } from '@ai-sdk/provider';
import { boundedMap } from '../util/maps/bounded-map.ts';

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
  /** Takes what an answer of a model is to tell; it counts as told from then on. */
  readonly take: (modelKey: string) => readonly Extract<SharedV4Warning, { type: 'other' }>[];
}

/** Characters of causes that are remembered as told. */
const maxToldCharacters = 100_000;
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

/** Where the warnings wait that the next answer of a model is to tell. */
export interface WarningPlace {
  readonly memory: { readonly warnings: WarningMemory };
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
}

/** Writes what waits to the console: once for the process, like all of it. */
export function warnOnConsole({ memory, modelKey }: WarningPlace): void {
  for (const { message } of memory.warnings.take(modelKey)) console.warn(message);
}

/**
 * Adds what is to be mended in the set-up to the `warnings` of an answer, which the SDK logs; writes it to the
 * console where the SDK's log would fail.
 */
export function withCallWarnings<T extends { readonly warnings: SharedV4Warning[] }>(
  { memory, modelKey }: WarningPlace,
  answer: T,
): T {
  if (!sdkLogsWarnings()) {
    // As the SDK does where it finds no `process.emitWarning`.
    warnOnConsole({ memory, modelKey });
    return answer;
  }
  const added = memory.warnings.take(modelKey);
  if (added.length === 0) return answer;
  // A provider without types may leave its own out.
  const own: unknown = answer.warnings;
  return { ...answer, warnings: [...(Array.isArray(own) ? answer.warnings : []), ...added] };
}

/**
 * Whether the SDK's warning log works here. Next.js puts a `process.emitWarning` that throws into its edge
 * runtime, and the SDK calls it for every warning of an answer: a warning there would cost the answer.
 */
function sdkLogsWarnings(): boolean {
  const logger: unknown = Reflect.get(globalThis, 'AI_SDK_LOG_WARNINGS');
  if (logger === false || typeof logger === 'function') return true;
  return !('EdgeRuntime' in globalThis);
}
