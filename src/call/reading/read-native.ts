import type { OwnCall } from '../../options/call-options.ts';
import type { Policy } from '../../options/resolve-policy.ts';
import { triggerTokens } from '../../planning/decide.ts';
import {
  isCompactionOf,
  isKnownToServerAlone,
  isServerManaged,
} from '../../prompt/provider-options.ts';
import { nativeSettings } from '../../planning/native-settings.ts';
import type { CallOptions } from '../../prompt/prompt-types.ts';
import { splitSystem } from '../../prompt/split-system.ts';
import { stateDialectOf } from '../../prompt/state-dialect.ts';
import { modelCalibration } from '../../sizing/model-calibration.ts';
import { sizeCall } from '../../sizing/size-call.ts';
import { mediaFamilyOf } from '../../tokens/files/media-family-of.ts';
import { scanSteps } from '../../tokens/scan-prompt.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import type { TimeSlices } from '../../util/async/time-slices.ts';
import type { CallContext } from './call-context.ts';
import { clockMs } from '../../util/clock-ms.ts';

/** Who shortens the conversation of a call. */
export interface NativeReading {
  /** The provider options of the call with the provider's compaction turned on, where it is to be. */
  readonly providerOptions?: CallOptions['providerOptions'];
  /** Whether the history is the provider's matter alone. */
  readonly isServerManaged: boolean;
}

/** Reads who shortens the conversation of a call whose middleware has the option `native`. */
export async function readNative(
  context: CallContext,
  { params, callOptions: { force = false } }: OwnCall,
  policy: Policy,
  slices: TimeSlices,
): Promise<NativeReading> {
  const { options, model, memory, modelKey } = context;
  if (options.native === 'never') return { isServerManaged: isKnownToServerAlone(params) };
  const { limit } = policy;
  const thresholds = { trigger: triggerTokens(limit, policy), limit };
  const providerOptions = nativeSettings(model, params, thresholds);
  if (providerOptions === undefined) return { isServerManaged: isServerManaged(params) };
  const isAlone = isKnownToServerAlone(params);
  const refusedUntil = memory.nativeRefusals.get(modelKey) ?? 0;
  if (clockMs() < refusedUntil) return { isServerManaged: isAlone };
  return {
    providerOptions,
    isServerManaged:
      isAlone || (force === false && (await isCompacted(context, params, policy, slices))),
  };
}

/**
 * Whether the provider has compacted the conversation, and what it reads of it, from its last compaction on,
 * fits the model.
 */
async function isCompacted(
  context: CallContext,
  params: CallOptions,
  policy: Policy,
  slices: TimeSlices,
): Promise<boolean> {
  const { model } = context;
  const { prompt } = params;
  const dialect = stateDialectOf(model) === 'anthropic' ? 'anthropic' : 'openai';
  const last = prompt.findLastIndex((message) => isCompactionOf(message, dialect));
  if (last === -1) return false;
  const { systems } = splitSystem(prompt);
  const read = { ...params, prompt: [...systems, ...prompt.slice(last)] };
  const { limit } = policy;
  const sizes = sizeCall({
    params: read,
    systems,
    model,
    scan: await runInSlices(scanSteps(read, mediaFamilyOf(model)), slices),
    calibration: modelCalibration(context, policy),
    findReported: () => Promise.resolve(undefined),
    limit,
    trigger: limit,
  });
  let fits = false;
  for await (const { least, most, tokens } of sizes) {
    fits = tokens < limit;
    if (most < limit || least >= limit) break;
  }
  return fits;
}
