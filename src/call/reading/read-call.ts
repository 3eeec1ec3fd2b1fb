import type { CompositionStyle } from '../../composing/compose-prompt.ts';
import { placementKey, resolvePlacement } from '../../composing/resolve-placement.ts';
import { ownCallOptions, type OwnCall } from '../../options/call-options.ts';
import {
  declaredContextLengths,
  resolvePolicy,
  type Policy,
} from '../../options/resolve-policy.ts';
import type { TriggerSnapshot } from '../../planning/decide.ts';
import { isKnownToServerAlone, isServerManaged } from '../../prompt/provider-options.ts';
import type { CallFacts, Plan } from '../../planning/plan.ts';
import type { CallOptions, Prompt } from '../../prompt/prompt-types.ts';
import { compactRequest } from '../../selection/compact-request.ts';
import type { ConversationView } from '../../selection/conversation-view.ts';
import { modelCalibration, type ModelCalibration } from '../../sizing/model-calibration.ts';
import { sizeCall } from '../../sizing/size-call.ts';
import { callsFor } from '../../strategies/models/readable-tokens.ts';
import { mediaFamilyOf } from '../../tokens/files/media-family-of.ts';
import { scanPrompt, type PromptScan } from '../../tokens/scan-prompt.ts';
import { runInSlices } from '../../util/async/run-steps.ts';
import { timeSlices, type TimeSlices } from '../../util/async/time-slices.ts';
import type { CallCost } from './cost-of-call.ts';
import { cutOf, readState, type StateReading } from './read-state.ts';
import type { CallContext } from './call-context.ts';
import { considerSummary } from './consider-summary.ts';

/** A call as it stands before anything is decided: the facts of its plan, and where they come from. */
export interface CallReading extends CallFacts, Omit<StateReading, 'last'> {
  /** The call as it came. */
  readonly given: CallOptions;
  readonly callOptions: OwnCall['callOptions'];
  readonly policy: Policy;
  readonly style: CompositionStyle;
  /** The prompt as it would be sent if nothing were done. */
  readonly scan: PromptScan;
  readonly calibration: ModelCalibration;
  /** What it costs, where that decides (`optimizeFor`). */
  readonly cost: CallCost | undefined;
  /** What a summary should look to, in the words of who asked for it. */
  readonly instructions: string | undefined;
  /** Milliseconds that it has waited for what another call was writing: it waits no longer in all. */
  readonly waitedMs?: number;
}

/** A call and what is to be done about it. */
export type PlannedCall = CallReading & Plan;

/**
 * Reads the state of a call, and how its size is found. Writes nothing, calls no model.
 *
 * @param takePrepared - Whether a prepared summary is in its place.
 */
// oxlint-disable-next-line max-lines-per-function -- one fact after another, each from those before
export async function readCall(
  context: CallContext,
  given: CallOptions,
  takePrepared: boolean,
): Promise<CallReading> {
  const { options, model, memory, modelKey } = context;
  const slices = timeSlices({ abortSignal: given.abortSignal });
  const own = ownCallOptions(given);
  const { params, callOptions } = own;
  const policy = resolvePolicy(options, model, params, memory.limits.recall(modelKey));
  const style = styleOf(context, policy, params);
  const isEnabled = options.enabled !== false && callOptions.enabled !== false;
  const isManaged = options.native === 'never' ? isKnownToServerAlone : isServerManaged;
  const standAside = standAsideReason(isEnabled, isManaged(params));
  const isLeftAlone = standAside !== undefined;
  const question = { own, policy, style, isLeftAlone, takePrepared };
  const { last, ...known } = await readState(context, question, slices);
  const { state, view, composition, prepared, writing } = known;
  const { isForced, isRequested, ...wish } = await wishOf(
    own,
    known,
    { isLeftAlone, takePrepared },
    slices,
  );
  const recordId = composition?.record.id;
  const composed = composition?.prompt ?? params.prompt;
  const scanOf = async (written: Prompt): Promise<PromptScan> =>
    runInSlices(scanPrompt({ ...params, prompt: written }, mediaFamilyOf(model)), slices);
  const whole = await scanOf(composed);
  const cost =
    options.optimizeFor === 'cost' && !isLeftAlone
      ? await (
          await import('./cost-of-call.ts')
        ).costOfCall(context, { ...known, last, policy, scan: whole, slices })
      : undefined;
  const prompt = cost?.prompt ?? composed;
  const sent = prompt === params.prompt ? params : { ...params, prompt };
  const scan = prompt === composed ? whole : await scanOf(prompt);
  const calibration = modelCalibration(context, policy);
  const { limit } = policy;
  return {
    ...known,
    ...wish,
    given,
    params,
    callOptions,
    policy,
    style,
    prompt,
    scan,
    calibration,
    cost,
    snapshot: {
      standAside,
      forced: isForced,
      requested: isRequested,
      limit,
      messageCount: view.identity.significantBefore(view.conversation.length),
      newUserTurns:
        policy.turnThreshold === undefined ? 0 : userTurnsAfter(view, last?.messageCount ?? 0),
      pays: cost?.figures.pays,
      isPrepared: prepared !== undefined || writing !== undefined,
      last,
    },
    sizes: sizeCall({
      params: sent,
      systems: view.systems,
      model,
      scan,
      calibration,
      findReported: () => memory.usage.find(scan, { model: modelKey, recordId }, slices),
      limit,
    }),
    canSummarize: context.strategy !== undefined,
    callsFor: (tokens) => summaryCalls(context, policy, tokens),
    condensing: options.condenseToolResults === true ? context.toolResults : undefined,
    consider: considerSummary(context, params.abortSignal),
    recentFailure: async (count) => context.failures.recall(await state.keyOf(count)),
  };
}

/** Calls that a summary of so many tokens takes: of the model that is asked first. */
function summaryCalls(
  { options, model, strategy }: Pick<CallContext, 'options' | 'model' | 'strategy'>,
  { contextLength, contextLengthKnown, tokenMultiplier }: Policy,
  tokens: number,
): number {
  if (strategy === undefined || strategy.name === 'rule-based') return 0;
  const [first = model] = [options.summarizerModelPreference ?? []].flat();
  const input = {
    model,
    maxTranscriptTokens: options.maxTranscriptTokens,
    declaredContextLength: declaredContextLengths(options),
    contextLength: contextLengthKnown ? contextLength : undefined,
    tokenMultiplier,
  };
  const reader = typeof first === 'string' ? { provider: 'gateway', modelId: first } : first;
  return callsFor(tokens, input, reader);
}

function styleOf(context: CallContext, policy: Policy, params: CallOptions): CompositionStyle {
  return {
    placement: resolvePlacement(policy.placement, context.model, {
      ...params,
      taken: context.memory.placements.get(placementKey(context.model)),
    }),
    // Four characters a token, the usual figure for English.
    userTextCharacters:
      context.options.preserveUserTurns === true ? 4 * policy.maxSummaryTokens : 0,
  };
}

/** Who asked for a summary of the call, and for which. */
interface SummaryWish extends Pick<
  CallReading,
  'boundary' | 'isToOrder' | 'instructions' | 'canPutInPlace'
> {
  readonly isForced: boolean;
  readonly isRequested: boolean;
}

async function wishOf(
  { callOptions, compactTools }: OwnCall,
  { view, composition, prepared }: Pick<StateReading, 'view' | 'composition' | 'prepared'>,
  how: { readonly isLeftAlone: boolean; readonly takePrepared: boolean },
  slices: TimeSlices,
): Promise<SummaryWish> {
  const { force = false, instructions } = callOptions;
  // Who asked for a summary has it in what is put in place.
  const isForced = force !== false && !how.takePrepared;
  const upTo = typeof force === 'object' ? force.upTo : undefined;
  const request = how.isLeftAlone
    ? undefined
    : await compactRequest(view, compactTools, composition?.cut ?? 0, slices);
  const isToOrder = upTo !== undefined || (isForced && instructions !== undefined);
  const isOffered = prepared !== undefined && !how.takePrepared && !isToOrder;
  if (isOffered) await view.read(slices);
  return {
    isForced,
    isRequested: request !== undefined,
    boundary: isForced ? upTo : request?.boundary,
    isToOrder,
    instructions: instructions ?? request?.instructions,
    canPutInPlace: isOffered && cutOf(view, prepared.record) !== undefined,
  };
}

function standAsideReason(isEnabled: boolean, isManaged: boolean): TriggerSnapshot['standAside'] {
  if (!isEnabled) return 'disabled';
  return isManaged ? 'server-managed' : undefined;
}

function userTurnsAfter({ identity, conversation }: ConversationView, count: number): number {
  const start = identity.indexAfter(count) ?? conversation.length;
  return conversation.slice(start).filter((message) => message.role === 'user').length;
}
