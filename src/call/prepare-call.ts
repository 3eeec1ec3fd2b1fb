import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import type { CallContext } from './call-context.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import type { FittedCall } from '../fitting/fit-call.ts';
import { triggerTokens } from '../planning/decide.ts';
import { planCall } from '../planning/plan-call.ts';
import { readCall, type CallInspection } from './read-call.ts';
import { reportCall, sizeOf } from '../report/report-call.ts';
import type { SentCall } from '../retry/sent-call.ts';
import { resolvePolicy } from '../options/resolve-policy.ts';
import { warnOfSetUp } from '../options/warn-of-set-up.ts';

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
    context.emitForCall({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return { params: withoutOwnOptions(given), sent: undefined };
  }
}

async function prepare(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  const call = await readCall(context, given);
  const { params, composition } = call;
  const plan = await planCall(call);
  if (plan.reason === 'disabled') return { params, sent: undefined };
  const inspection = { ...call, ...plan };
  warnOfSetUp({ ...context, ...call, warn: context.warnForCall });
  reportCheck(context, inspection);
  if (plan.size.observed !== undefined) call.calibration.learn(plan.size.observed);
  if (plan.measure === undefined) {
    if (plan.reason !== 'below-trigger')
      context.emitForCall({ type: 'skipped', reason: plan.reason });
    const prompt = composition?.prompt ?? params.prompt;
    const { tokens, size } = plan;
    return send(context, inspection, { prompt, composition, tokens, counted: size.counted });
  }
  // A module of its own: most calls have nothing to do.
  const { runPlan } = await import('./run-plan.ts');
  return send(context, inspection, await runPlan(context, call, plan));
}

function reportCheck(context: CallContext, inspection: CallInspection): void {
  const { decision, size, measure, view, stored } = inspection;
  if (size.tokenizer === 'missing') warnOfEstimates(context);
  context.emitForCall({
    type: 'check',
    ...decision,
    ...sizeOf(inspection),
    exact: size.measuredBy === 'count' && measure !== undefined,
    measuredBy: size.measuredBy,
    tokenized: size.tokenizer !== 'unused',
    messageCount: view.conversation.length,
    lastSummarization: stored?.lastSummarization,
  });
}

function warnOfEstimates({ warnForCall }: CallContext): void {
  warnForCall({
    code: 'tokenizer-missing',
    cause: 'tokenizer',
    message:
      'The tokenizer could not be loaded: tokens are estimated until the provider reports some.',
  });
}

function send(
  context: CallContext,
  inspection: CallInspection,
  { prompt, composition, tokens, counted }: Omit<FittedCall, 'shortening'>,
): PreparedCall {
  const { options, emitForCall: emit, warnForCall: warn } = context;
  const { params, state, decision } = inspection;
  const call = { ...context, ...inspection, composition, tokens, emit, warn };
  const sentParams = prompt === params.prompt ? params : { ...params, prompt };
  return {
    params: sentParams,
    sent: {
      ...call,
      params: sentParams,
      report: reportCall(call),
      counted: { prompt, tokens: counted },
      keyOf: state.keyOf,
      policyAfter: (learned) => resolvePolicy(options, context.model, params, learned),
      isServerManaged: decision.reason === 'server-managed',
      isNearCounting: isNearCounting(inspection),
    },
  };
}

/** Share of the trigger from which one of the next calls may have to be counted. */
const nearShare = 0.5;

/** Whether a prompt nears the size from which prompts are counted: a token a byte where no usage is known. */
function isNearCounting({ decision, size, scan, policy, tokens }: CallInspection): boolean {
  if (decision.reason !== 'below-trigger' || size.tokenizer !== 'unused') return false;
  const most = size.measuredBy === 'bound' ? Math.max(tokens, scan.characters) : tokens;
  return most >= nearShare * triggerTokens(policy.limit, policy);
}
