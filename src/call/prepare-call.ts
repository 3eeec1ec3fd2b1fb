import { ContextOverflowError } from '../errors/context-overflow-error.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { FittedCall } from '../fitting/fit-prompt.ts';
import { hasWebCrypto } from '../util/digest.ts';
import { withoutOwnOptions } from '../options/call-options.ts';
import { warnOfSetUp } from '../options/warn-of-set-up.ts';
import type { Plan } from '../planning/plan.ts';
import type { CallOptions } from '../prompt/prompt-types.ts';
import { eventSize, reportCall, type SummarizationMetadata } from '../report/report-call.ts';
import { warnOnConsole } from '../report/reporter.ts';
import { clockMs } from '../util/clock-ms.ts';
import type { CallContext } from './call-context.ts';
import { planReading, type CallReading } from './read-call.ts';

/** A call that is ready to be sent. */
export interface PreparedCall {
  /** The same object as given when nothing had to be done. */
  readonly params: CallOptions;
  /** What is known of it when it is answered; `undefined` when the call was passed over. */
  readonly sent: SentCall | undefined;
}

/** A call as it went out, the three carriers in one: what is needed when the provider answers, or refuses. */
export interface SentCall extends CallContext, CallReading, Omit<FittedCall, 'shortening'> {
  readonly plan: Plan;
  readonly report: SummarizationMetadata;
  /** Begins what is done beside the answer. */
  readonly onAnswering: (() => void) | undefined;
}

/**
 * The way of one call: reads, plans, carries the plan out, reports. A failure of the package leaves the call as it was;
 * only an abort, a wrong per-call option, `abortOnFailure` and a prompt that cannot be made to fit are thrown.
 */
export async function prepareCall(context: CallContext, given: CallOptions): Promise<PreparedCall> {
  const startedAt = clockMs();
  try {
    if (!hasWebCrypto()) return passedOver(context, given);
    const planned = await planReading(context, given);
    const { call, plan, tokensBefore } = planned;
    if (plan.reason === 'disabled') return { params: call.params, sent: undefined };
    reportPlan(context, call, plan);
    if (plan.size.observed !== undefined) call.calibration.learn(plan.size.observed);
    // Modules of their own: most calls have nothing to do.
    if (tokensBefore !== undefined && call.stored !== undefined) {
      const { putInPlace } = await import('./run-plan.ts');
      putInPlace(context, call, call.stored, { tokensBefore, tokensAfter: plan.tokens });
    }
    const onAnswering =
      plan.decision.ahead === true
        ? await (await import('./run-plan.ts')).prepareAhead(context, planned)
        : undefined;
    let fitted: Omit<FittedCall, 'shortening'> = {
      ...call,
      tokens: plan.tokens,
      counted: plan.size.counted,
    };
    if (plan.measure !== undefined) {
      const { fit, summarize } = await import('./run-plan.ts');
      const draft = plan.step === 'summarize' ? await summarize(context, planned, plan) : undefined;
      fitted = await fit(context, call, plan, draft);
    }
    const { prompt, composition, tokens, counted } = fitted;
    const params = prompt === call.params.prompt ? call.params : { ...call.params, prompt };
    const sent = { ...context, ...call, params, prompt, composition, tokens, counted };
    return { params, sent: { ...sent, plan, onAnswering, report: reportCall(sent) } };
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
    context.reporter.waited(clockMs() - startedAt);
  }
}

/** Without what conversations are recognised by, a summary would be paid for and not be kept. */
function passedOver(context: CallContext, given: CallOptions): PreparedCall {
  context.warn({
    code: 'no-web-crypto',
    cause: 'crypto',
    message:
      'crypto.subtle is missing, as on pages that come neither over https nor from localhost: conversations cannot be recognised, and nothing is summarised. Serve the page over https, or call the model on a server.',
  });
  // Nothing is added to the answer of a call that goes out as it came.
  warnOnConsole(context);
  return { params: withoutOwnOptions(given), sent: undefined };
}

/** Tells what was found and decided. */
function reportPlan(context: CallContext, call: CallReading, plan: Plan): void {
  const { emit, warn } = context;
  const { decision, size, measure, tokens, reason } = plan;
  const { cost, view, stored, policy } = call;
  warnOfSetUp({ ...context, ...call });
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
    ...eventSize({ policy, tokens }),
    exact: size.measuredBy === 'count' && measure !== undefined,
    measuredBy: size.measuredBy,
    tokenized: size.tokenizer !== 'unused',
    messageCount: view.conversation.length,
    ...(cost && { cost: cost.figures, outcome: cost.outcome }),
    lastSummarization: stored?.lastSummarization,
  });
  if (cost?.isCondensedNow === true) emit({ type: 'skipped', reason: 'condensed' });
  if (measure === undefined && reason !== 'below-trigger') emit({ type: 'skipped', reason });
}
