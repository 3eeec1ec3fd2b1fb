import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { fitMedia } from '../fitting/fit-media.ts';
import type { FittedCall } from '../fitting/fit-prompt.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { eventSize, reportCall, type SummarizationMetadata } from '../report/report-call.ts';
import { setUpWarnings } from '../report/warnings.ts';
import { noteFound } from '../summaries/changed-history.ts';
import { beginInTurn } from '../util/async/waiting.ts';
import type { CallContext } from './call-context.ts';
import { type Plan, planReading } from './plan-call.ts';
import type { Call } from './read-call.ts';

/** A call that is ready to be sent. */
export interface PreparedCall {
  /** The same object as given when nothing had to be done. */
  readonly params: CallOptions;
  /** Facts for the time of the answer; `undefined` if the call was bypassed. */
  readonly sent?: SentCall | undefined;
}

/** A call as it was sent: facts for the provider's answer or refusal. */
export interface SentCall extends Call, FittedCall {
  readonly plan: Plan;
  readonly report: SummarizationMetadata;
  /** Begins the work beside the answer. */
  readonly onAnswering?: (() => void) | undefined;
}

/**
 * Prepares one call: reads, plans, carries the plan out, reports. A failure of the package leaves the call as it was;
 * only an abort, a wrong per-call option, `abortOnFailure` and a prompt that cannot be made to fit are thrown.
 */
export async function prepareCall(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  try {
    await beginInTurn();
    given.abortSignal?.throwIfAborted();
    const planned = await planReading(context, given);
    const { call, plan, tokensBefore } = planned;
    const { measure } = plan.size;
    if (plan.reason === 'disabled') return { params: call.params };
    reportPlan(call, plan);
    if (call.stored !== undefined) await noteFound(call, call.stored.record.prefixDigest);
    const asItStands = {
      ...call,
      plan,
      tokens: plan.tokens,
      counted: measure?.counted(call.prompt),
    };
    const isIdle = (plan.measure ?? tokensBefore ?? plan.decision.ahead) === undefined;
    if (isIdle) return sending(asItStands);
    // The module is loaded on demand: most calls need nothing of it.
    const { beginBeside, fitDraft, summarize } = await import('./run-plan.ts');
    const onAnswering = await beginBeside(planned);
    const draft = plan.step === 'summarize' ? await summarize(planned, plan) : undefined;
    const fitted = await fitDraft(planned, draft);
    return sending({ ...asItStands, ...fitted, onAnswering });
  } catch (error) {
    given.abortSignal?.throwIfAborted();
    const thrown = [SummarizationOptionError, SummarizationError, ContextOverflowError];
    if (thrown.some((kind) => kind.isInstance(error))) throw error;
    context.emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return { params: withoutOwnOptions(given) };
  }
}

/** Returns a call that is sent, with its report. */
function sending(call: Omit<SentCall, 'report'>): PreparedCall {
  const { params: before, policy, snapshot, scan } = call;
  const isOurs = snapshot.standAside === undefined;
  // Later summaries and shortened prompts come from the conversation as it was passed.
  const prompt = isOurs ? fitMedia(call.prompt, policy, scan.overhead.bound) : call.prompt;
  const { mostOutputTokens } = policy;
  const isLess = isOurs && mostOutputTokens !== undefined;
  const params =
    prompt === before.prompt && !isLess
      ? before
      : { ...before, prompt, ...(isLess ? { maxOutputTokens: mostOutputTokens } : {}) };
  return { params, sent: { ...call, prompt, params, report: reportCall(call) } };
}

/** Reports the findings and the decision. */
function reportPlan(call: Call, plan: Plan): void {
  const { emit, warn, cost } = call;
  const { decision, size, measure, tokens, reason } = plan;
  for (const warning of setUpWarnings(call, size.measure)) warn(warning);
  emit({
    type: 'check',
    ...decision,
    ...eventSize({ policy: call.policy, tokens }),
    exact: size.measuredBy === 'count' && measure !== undefined,
    measuredBy: size.measuredBy,
    tokenized: size.measure !== undefined,
    messageCount: call.view.conversation.length,
    ...(cost && { cost: cost.figures }),
    lastSummarization: call.stored?.lastSummarization,
  });
  if (cost?.isCondensedNow === true) emit({ type: 'skipped', reason: 'condensed' });
  if (measure === undefined && reason !== 'below-trigger') emit({ type: 'skipped', reason });
}
