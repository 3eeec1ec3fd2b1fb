import type { FittedCall } from '../fitting/fit-call.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import { triggerTokens } from '../planning/decide.ts';
import { reportCall } from '../report/report-call.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { SentCall } from '../retry/sent-call.ts';
import { noteAnswer } from './note-answer.ts';
import type { CallContext } from './reading/call-context.ts';
import type { PlannedCall } from './reading/read-call.ts';

/** Reports a call that is ready to be sent, and keeps what is needed when the provider answers or refuses. */
export function sentCallOf(
  context: CallContext,
  call: PlannedCall,
  { prompt, composition, tokens, counted }: Omit<FittedCall, 'shortening'>,
): SentCall {
  const { options, model, modelKey, memory, standing, toolResults, bill, emit, warn } = context;
  const { params, policy, view, style, state, scan, size, calibration, cost } = call;
  const sent = paramsWith(call, prompt);
  return {
    params: sent,
    model,
    modelKey,
    memory,
    standing,
    calibration,
    scan,
    size,
    counted: { prompt, tokens: counted },
    view,
    style,
    policy,
    policyAfter: (learned) => resolvePolicy(options, model, params, learned),
    toolResults,
    keyOf: state.keyOf,
    composition,
    onUsage: (usage) => {
      cost?.noteUse(usage);
      const recordId = prompt === composition?.prompt ? composition.record.id : undefined;
      void noteAnswer(context, { given: params, sent, recordId }, usage);
    },
    emit,
    warn,
    bill,
    report: reportCall({ emit, memory, modelKey, model, view, policy, composition, tokens, bill }),
    isServerManaged: isManaged(call, tokens),
    isNearCounting: isNearCounting(call),
  };
}

/**
 * The provider options that turn the provider's own compaction on for a call; `undefined` where that is off, or
 * the package has shortened the prompt itself.
 */
export function nativeOptionsOf({
  native,
  decision,
}: Pick<PlannedCall, 'native' | 'decision'>): CallOptions['providerOptions'] {
  return decision.act === 'none' ? native?.providerOptions : undefined;
}

/** The call with the prompt as it is sent; the same one where nothing is changed. */
function paramsWith(call: PlannedCall, prompt: CallOptions['prompt']): CallOptions {
  const { params } = call;
  const providerOptions = nativeOptionsOf(call);
  if (providerOptions !== undefined) return { ...params, prompt, providerOptions };
  return prompt === params.prompt ? params : { ...params, prompt };
}

/**
 * Share of the trigger from which the provider may compact a prompt, so far off as counts may be: the usage it
 * reports is then of what it read to do so, and of what was left.
 */
const compactedShare = 0.5;

/** Whether the provider holds the history of a call, or may compact it. */
function isManaged(call: PlannedCall, tokens: number): boolean {
  const { decision, policy } = call;
  if (nativeOptionsOf(call) === undefined) return decision.reason === 'server-managed';
  const least = triggerTokens(policy.limit, policy) * compactedShare;
  return decision.reason === 'server-managed' || tokens >= least;
}

/** Share of the trigger from which one of the next calls may have to be counted. */
const nearCountingShare = 0.5;

/** Whether a prompt nears the size from which prompts are counted: a token a byte where no usage is known. */
function isNearCounting({ decision, size, scan, policy, tokens }: PlannedCall): boolean {
  if (decision.reason !== 'below-trigger' || size.tokenizer !== 'unused') return false;
  const most = size.measuredBy === 'bound' ? Math.max(tokens, scan.characters) : tokens;
  return most >= nearCountingShare * triggerTokens(policy.limit, policy);
}
