import type { LanguageModelV4StreamResult, SharedV4Warning } from '@ai-sdk/provider';
import { mapStream } from '../util/map-stream.ts';
import type { WarningMemory } from './warning-memory.ts';

/** Where the warnings wait that the next answer of a model is to tell. */
export interface WarningPlace {
  readonly memory: { readonly warnings: WarningMemory };
  /** What is known of the model is filed under it. */
  readonly modelKey: string;
}

/**
 * Adds what is to be mended in the set-up to the `warnings` of an answer, which the SDK logs; writes it to the
 * console where the SDK's log would fail.
 */
export function withCallWarnings<T extends { readonly warnings: SharedV4Warning[] }>(
  { memory, modelKey }: WarningPlace,
  answer: T,
): T {
  const added = memory.warnings.take(modelKey);
  if (added.length === 0) return answer;
  if (!sdkLogsWarnings()) {
    // As the SDK does where it finds no `process.emitWarning`.
    for (const { message } of added) console.warn(message);
    return answer;
  }
  // A provider without types may leave its own out.
  const own: unknown = answer.warnings;
  return { ...answer, warnings: [...(Array.isArray(own) ? answer.warnings : []), ...added] };
}

/** As {@link withCallWarnings} in the `stream-start` part of a stream; without one they wait. */
export function streamWithCallWarnings(
  place: WarningPlace,
  result: LanguageModelV4StreamResult,
): LanguageModelV4StreamResult {
  if (!place.memory.warnings.isWaiting(place.modelKey)) return result;
  const stream = mapStream(result.stream, (part) =>
    part.type === 'stream-start' ? withCallWarnings(place, part) : part,
  );
  return { ...result, stream };
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
