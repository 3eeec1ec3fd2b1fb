import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import { condenseToolResults } from '../fitting/condense-tool-results.ts';
import { declaredContextLengths } from '../options/resolve-policy.ts';
import type { Plan, SummaryRange } from '../planning/plan.ts';
import { isHandoff } from '../prompt/own-options.ts';
import { termsAgain, termsOfCall } from '../prompt/provider-options.ts';
import { maxWaitMsOf, summaryTimeoutMsOf, summaryWaitMsOf } from '../options/waits.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { sealedStore } from '../stores/sealed-store.ts';
import type { SummaryOrder } from '../summaries/make-summary.ts';
import { spend } from '../summaries/spending.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { keepAlive } from './keep-alive.ts';
import type { CallContext } from './reading/call-context.ts';
import type { CallReading } from './reading/read-call.ts';

/** A plan by which a summary is to be made. */
export type SummarizingPlan = Extract<Plan, { step: 'summarize' }>;

/** Milliseconds of rest that a provider may ask for, where a prompt does not fit: for longer, the rules write. */
const worthwhileRestMs = 10_000;

/** Share of the limit below which a prompt has room for a record to be asked for, and written. */
const roomyShare = 0.9;

/** The call at whose end its model is asked for a record: not where another model is, or texts must not leave as they are. */
function askedAt(
  { summarizerInput, summarizerModelPreference, redact }: CallContext['options'],
  {
    params,
    prompt,
    policy,
    tokens,
  }: Pick<CallReading, 'params' | 'prompt' | 'policy'> & { readonly tokens: number },
  recentMessages: number,
): Pick<SummaryOrder['writers'], 'conversation' | 'recentMessages'> {
  const isWanted = summarizerInput === 'conversation' && summarizerModelPreference === undefined;
  if (!isWanted || redact !== undefined || tokens > roomyShare * policy.limit) return {};
  const { abortSignal: _, ...settings } = params;
  return { conversation: { ...settings, ...termsAgain(params), prompt }, recentMessages };
}

/** Puts a record in the place of what it stands for. */
export function composing(
  { view, style }: Pick<CallReading, 'view' | 'style'>,
  { cut }: SummaryRange,
): (record: SummaryRecord, abortSignal?: AbortSignal) => Promise<Composition> {
  return (record, abortSignal) =>
    composePrompt(view, style, { record, cut }, timeSlices({ abortSignal }));
}

/** How tool outputs are read where cost decides and nothing else was asked for. */
function factsOf(
  { options, toolResults }: Pick<CallContext, 'options' | 'toolResults'>,
  abortSignal: AbortSignal | undefined,
): SummaryOrder['writers']['factsOf'] {
  const { optimizeFor, messageFilter, condenseToolResults: condenses = true } = options;
  if (optimizeFor !== 'cost' || !condenses || messageFilter?.toolResults !== undefined)
    return undefined;
  return async (messages) =>
    condenseToolResults(messages, new Set(messages), timeSlices({ abortSignal }), toolResults);
}

/** The order for the summary that a plan names. */
// oxlint-disable-next-line max-lines-per-function -- one object, most of it a field a line
export function orderOf(
  given: CallContext,
  {
    view,
    style,
    prompt,
    policy,
    state,
    stored,
    composition,
    callOptions,
    instructions,
    given: asGiven,
    params,
  }: CallReading,
  { range, joins, measure, size, tokens, decision }: SummarizingPlan,
): SummaryOrder {
  const { options, model, strategy, fallbackStrategy, sink, ...context } = given;
  const { keyring, namespace, memory, failures, emit, warn } = context;
  const { maxSummaryCallsPerHour } = options;
  const maxWaitMs = maxWaitMsOf(options);
  const [keys] = keyring;
  return {
    view,
    // The marks are ours, so that only the prompt as it was given has them.
    handedOn: new Set(params.prompt.filter((_, index) => isHandoff(asGiven.prompt[index]))),
    range,
    joins,
    policy,
    measure,
    place: { tokens, compose: composing({ view, style }, range) },
    reason: decision.reason,
    instructions,
    previous: composition && stored?.record,
    writers: {
      model,
      termsFor: termsOfCall(params, model),
      strategy,
      fallbackStrategy,
      options: { ...options, namespace },
      declaredContextLength: declaredContextLengths(options),
      factsOf: factsOf(given, params.abortSignal),
      ...askedAt(options, { params, prompt, policy, tokens }, view.conversation.length - range.cut),
      onAttempt: (attempt) => {
        given.bill.calls += 1;
        sink.logAttempt(attempt);
      },
      log: sink.log,
    },
    state,
    windows: memory.windows,
    failures,
    tree: {
      store: options.summaryTreeStore,
      conversationId: callOptions.conversationId,
      namespace,
      treeId: stored?.treeId,
      redact: options.redact,
      keys,
    },
    emit,
    warn,
    patience: {
      abortSignal: params.abortSignal,
      // One that fits can do without.
      ...(size.most < policy.limit
        ? { leaveAfterMs: maxWaitMs }
        : {
            hurryAfterMs: summaryTimeoutMsOf(options),
            leaveAfterMs: summaryWaitMsOf(options),
            hurryAtRestMs: Math.max(maxWaitMs, worthwhileRestMs),
          }),
    },
    keepAlive: (work) => keepAlive(given, work),
    abortSignal: options.abortSignal,
    // Who can wait no longer has hurried it by then: a model that is asked now would be cut off.
    patienceMs: summaryWaitMsOf(options),
    spend:
      maxSummaryCallsPerHour === undefined
        ? undefined
        : async () =>
            spend({
              maxSummaryCallsPerHour,
              // Nobody else shares one in this process; one that is silent is not waited for again.
              store:
                context.store.isLocal || !state.isAnswered()
                  ? undefined
                  : sealedStore(context.store, keys, { timeoutMs: context.times.storeTimeoutMs }),
              keys,
              spent: memory.spent,
            }),
  };
}
