import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { CallContext } from './reading/call-context.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import type { FittedCall } from '../fitting/fit-prompt.ts';
import { planReading } from './reading/plan-reading.ts';
import type { PlannedCall } from './reading/read-call.ts';
import { eventSize, reportCall } from '../report/report-call.ts';
import type { SentCall } from '../retry/sent-call.ts';
import { warnOfSetUp } from '../options/warn-of-set-up.ts';
import { clockMs } from '../util/clock-ms.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import { triggerTokens } from '../planning/decide.ts';
import { noteAnswer } from './note-answer.ts';

/** A call that is ready to be sent. */
export interface PreparedCall {
  /** The same object as given when nothing had to be done. */
  readonly params: CallOptions;
  /** What is known of it when it is answered; `undefined` when the call was passed over. */
  readonly sent: SentCall | undefined;
}

/**
 * Prepares one call: applies the stored record, decides, summarises, makes the prompt fit. A failure of
 * the package leaves the call as it was; only an abort, a wrong per-call option, `abortOnFailure` and a
 * prompt that cannot be made to fit are thrown.
 */
export async function prepareCall(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  const startedAt = clockMs();
  try {
    return await prepare(context, given);
  } catch (error) {
    given.abortSignal?.throwIfAborted();
    if (
      SummarizationOptionError.isInstance(error) ||
      SummarizationError.isInstance(error) ||
      ContextOverflowError.isInstance(error)
    )
      throw error;
    context.emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return { params: withoutOwnOptions(given), sent: undefined };
  } finally {
    context.figures.waited(clockMs() - startedAt);
  }
}

async function prepare(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  const { call, plan, tokensBefore } = await planReading(context, given);
  if (plan.reason === 'disabled') return { params: call.params, sent: undefined };
  const planned = { ...call, ...plan };
  warnOfSetUp({ ...context, ...call });
  reportCheck(context, planned);
  if (call.cost?.isCondensedNow === true) context.emit({ type: 'skipped', reason: 'condensed' });
  if (plan.size.observed !== undefined) call.calibration.learn(plan.size.observed);
  // Modules of their own: most calls have nothing to do.
  if (tokensBefore !== undefined && call.stored !== undefined) {
    const { putInPlace } = await import('./put-in-place.ts');
    putInPlace(context, call, call.stored, { tokensBefore, tokensAfter: plan.tokens });
  }
  const onAnswering =
    plan.decision.ahead === true
      ? await (await import('./prepare-ahead.ts')).prepareAhead(context, { call, plan })
      : undefined;
  const fitted =
    plan.measure === undefined
      ? asItStands(context, planned)
      : await (await import('./run-plan.ts')).runPlan(context, call, plan);
  const sent = { ...sentCallOf(context, planned, fitted), onAnswering };
  return { params: sent.params, sent };
}

function reportCheck({ emit, warn }: CallContext, call: PlannedCall): void {
  const { decision, size, measure, view, stored, cost } = call;
  if (size.tokenizer === 'missing')
    warn({
      code: 'tokenizer-missing',
      cause: 'tokenizer',
      message:
        'The tokenizer could not be loaded: tokens are estimated until the provider reports some.',
    });
  emit({
    type: 'check',
    ...decision,
    ...eventSize(call),
    exact: size.measuredBy === 'count' && measure !== undefined,
    measuredBy: size.measuredBy,
    tokenized: size.tokenizer !== 'unused',
    messageCount: view.conversation.length,
    ...(cost && { cost: cost.figures, outcome: cost.outcome }),
    lastSummarization: stored?.lastSummarization,
  });
}

/** The prompt with the record that applies. */
function asItStands(
  { emit }: CallContext,
  { prompt, composition, tokens, size, reason }: PlannedCall,
): Omit<FittedCall, 'shortening'> {
  if (reason !== 'below-trigger') emit({ type: 'skipped', reason });
  return { prompt, composition, tokens, counted: size.counted };
}

/** Reports a call that is ready to be sent, and keeps what is needed when the provider answers or refuses. */
function sentCallOf(
  context: CallContext,
  call: PlannedCall,
  { prompt, composition, tokens, counted }: Omit<FittedCall, 'shortening'>,
): SentCall {
  const { options, model, modelKey, memory, standing, toolResults, bill, emit, warn } = context;
  const { params, policy, view, style, state, scan, size, calibration, cost } = call;
  const sent = prompt === params.prompt ? params : { ...params, prompt };
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
    isServerManaged: call.decision.reason === 'server-managed',
    isNearCounting: isNearCounting(call),
  };
}

/** Share of the trigger from which one of the next calls may have to be counted. */
const nearCountingShare = 0.5;

/** Whether a prompt nears the size from which prompts are counted: a token a byte where no usage is known. */
function isNearCounting({ decision, size, scan, policy, tokens }: PlannedCall): boolean {
  if (decision.reason !== 'below-trigger' || size.tokenizer !== 'unused') return false;
  const most = size.measuredBy === 'bound' ? Math.max(tokens, scan.characters) : tokens;
  return most >= nearCountingShare * triggerTokens(policy.limit, policy);
}
