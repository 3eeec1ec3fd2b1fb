import { secretHint } from '../../foundations/checks/option-rule.ts';
import { ContextOverflowError } from '../../foundations/errors/context-overflow-error.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { SummarizationOptionError } from '../../foundations/errors/summarization-option-error.ts';
import { fitMedia } from '../fitting/fit-media.ts';
import type { FittedCall } from '../fitting/fit-prompt.ts';
import { shortenedOutputs } from '../fitting/condensed-messages.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import type { Placement } from '../../planning/composing/place-summary.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import type { TokenMeasure } from '../../planning/sizing/token-measure.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import { eventSize, reportCall, type SummarizationMetadata } from '../report/report-call.ts';
import type { CallWarning } from '../report/reporter.ts';
import { noteFound } from '../writing/unfound-summaries.ts';
import { beginInTurn } from '../../foundations/util/async/waiting.ts';
import type { CallContext } from './call-context.ts';
import { type Plan, type PlannedCall, readAndPlan } from './plan-call.ts';
import type { Call } from './read-call.ts';

/** A call that is ready to be sent. */
export interface PreparedCall {
  /** The same object as given when nothing had to be done. */
  readonly params: CallOptions;
  /** Facts for the time of the answer; `undefined` if the call was bypassed. */
  readonly sent?: SentCall | undefined;
}

/** A request as it goes to the model. */
export interface SentRequest extends Omit<FittedCall, 'prompt' | 'shortenedMessages'> {
  readonly params: CallOptions;
  readonly policy: Policy;
  readonly placement: Placement;
}

/** A call as it was sent: facts for the provider's answer or refusal. */
export interface SentCall {
  /** The call as it was read. */
  readonly call: Call;
  readonly plan: Plan;
  /** The request as it was sent. */
  readonly request: SentRequest;
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
    const planned = await readAndPlan(context, given);
    const { call, plan, tokensBefore } = planned;
    const { measure } = plan.size;
    if (plan.reason === 'disabled') return { params: call.params };
    reportPlan(call, plan);
    if (call.stored !== undefined) await noteFound(call, call.stored.record.prefixDigest);
    const { composition } = call;
    const { prompt } = call.scan;
    const asItStands = {
      prompt,
      composition,
      tokens: plan.tokens,
      o200kTokens: measure?.o200kTokens(prompt),
    };
    const isIdle = (plan.measure ?? tokensBefore ?? plan.decision.ahead) === undefined;
    if (isIdle) return sending(planned, asItStands);
    // The module is loaded on demand: most calls need nothing of it.
    const { startBackgroundWork, fitDraft, summarize } = await import('./run-plan.ts');
    const onAnswering = await startBackgroundWork(planned);
    const draft = plan.step === 'summarize' ? await summarize(planned, plan) : undefined;
    const fitted = await fitDraft(planned, draft);
    return sending(planned, fitted ?? asItStands, onAnswering);
  } catch (error) {
    given.abortSignal?.throwIfAborted();
    const thrown = [SummarizationOptionError, SummarizationError, ContextOverflowError];
    if (thrown.some((kind) => kind.isInstance(error))) throw error;
    context.emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return { params: withoutOwnOptions(given) };
  }
}

/** Returns a call that is sent, with its report. */
function sending(
  { call, plan }: PlannedCall,
  { prompt: whole, composition, tokens, o200kTokens }: FittedCall,
  onAnswering?: SentCall['onAnswering'],
): PreparedCall {
  const { params: before, policy, snapshot, scan } = call;
  const isOurs = snapshot.standAside === undefined;
  // Later summaries and shortened prompts come from the conversation as it was passed.
  const prompt = isOurs ? fitMedia(whole, policy, scan.overhead.bound) : whole;
  const { mostOutputTokens } = policy;
  const isLess = isOurs && mostOutputTokens !== undefined;
  const params =
    prompt === before.prompt && !isLess
      ? before
      : { ...before, prompt, ...(isLess ? { maxOutputTokens: mostOutputTokens } : {}) };
  const { placement } = call.style;
  const request = { params, policy, composition, tokens, o200kTokens, placement };
  return {
    params,
    sent: { call, plan, request, report: reportCall(call.context, request), onAnswering },
  };
}

/** Reports the findings and the decision. */
function reportPlan(call: Call, plan: Plan): void {
  const { context, cost } = call;
  const { emit } = context;
  const outputs = shortenedOutputs(call.scan.prompt);
  const { decision, size, measure, tokens, reason } = plan;
  for (const warning of setUpWarnings(call, size.measure)) context.warn(warning);
  emit({
    type: 'check',
    ...decision,
    ...eventSize({ policy: call.policy, tokens }),
    exact: size.measuredBy === 'count' && measure !== undefined,
    measuredBy: size.measuredBy,
    tokenized: size.measure !== undefined,
    messageCount: call.view.conversation.length,
    ...(cost && { cost: cost.figures }),
    ...(outputs && { shortened: outputs }),
    lastSummarization: call.stored?.lastSummarization,
  });
  if (cost?.isCondensedNow === true) emit({ type: 'skipped', reason: 'condensed' });
  if (measure === undefined && reason !== 'below-trigger') emit({ type: 'skipped', reason });
}

/** Lists the faults in the setup of a call. */
function setUpWarnings(
  { context: { model, options }, policy }: Call,
  measure: TokenMeasure | undefined,
): readonly CallWarning[] {
  const name = `${model.provider}:${model.modelId}`;
  const { store, secret, maxSummaryTokens = 0 } = options;
  const warnings: (CallWarning | false)[] = [
    !policy.contextLengthKnown && {
      code: 'unknown-context-length',
      message: `The context length of ${name} is not known, so ${policy.contextLength} tokens are assumed. Set contextLength.`,
    },
    maxSummaryTokens > policy.maxSummaryTokens && {
      code: 'summary-tokens-capped',
      message: `maxSummaryTokens is ${maxSummaryTokens}, and ${name} accepts ${policy.contextLength} tokens: summaries have at most ${policy.maxSummaryTokens}, a quarter. Set a smaller maxSummaryTokens, or a larger contextLength.`,
    },
    store !== undefined &&
      secret === undefined &&
      store.isLocal !== true && {
        code: 'store-without-secret',
        cause: 'store',
        message: `The option store is set without secret: other processes, and this one after a restart, cannot find the stored summaries. Set secret: ${secretHint}`,
      },
    measure?.counter.isExact === false && {
      code: 'tokenizer-missing',
      cause: 'tokenizer',
      message:
        'The tokenizer could not be loaded. Tokens are estimated until the provider reports usage.',
    },
  ];
  return warnings.filter((warning) => warning !== false);
}
