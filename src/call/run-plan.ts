import { composePrompt, type Composition } from '../composing/compose-prompt.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { condenseToolResults } from '../fitting/condense-tool-results.ts';
import { fitPrompt, type Draft, type FittedCall } from '../fitting/fit-prompt.ts';
import { declaredContextLengths } from '../options/resolve-policy.ts';
import { rangeBegun } from '../planning/choose-range.ts';
import { ratioIfUndone } from '../planning/decide.ts';
import type { Joins, Plan, SummaryRange } from '../planning/plan.ts';
import { isHandoff } from '../prompt/own-options.ts';
import { termsAgain, termsOfCall } from '../prompt/provider-options.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import { sealedStore } from '../stores/sealed-store.ts';
import { placeSummary } from '../state/keep-summary.ts';
import { makeSummary, type SummaryOrder } from '../summaries/make-summary.ts';
import { spend } from '../summaries/spending.ts';
import { timeSlices } from '../util/async/time-slices.ts';
import { clockMs } from '../util/clock-ms.ts';
import type { CallContext } from './call-context.ts';
import type { CallReading, PlannedReading } from './read-call.ts';
import { enqueueSummary } from './summary-job.ts';

/** A plan by which something is to be done. */
type ActingPlan = Exclude<Plan, { measure?: undefined }>;

/** A plan by which a summary is to be made. */
type SummarizingPlan = Extract<Plan, { step: 'summarize' }>;

/** Carries out the plan of a call, and makes it fit. */
export async function runPlan(
  context: CallContext,
  { call, waitsSince }: PlannedReading,
  plan: ActingPlan,
): Promise<FittedCall> {
  const { emit, options } = context;
  const { policy, params, composition, state } = call;
  const { step, size, tokens, measure } = plan;
  if (step !== 'summarize')
    emit({ type: 'skipped', reason: step === 'fit' ? plan.reason : 'condensed' });
  if (step === 'fit' && plan.failure !== undefined && options.abortOnFailure) throw plan.failure;
  const asItStands = { prompt: step === 'condense' ? plan.prompt : call.prompt, composition };
  const summarized =
    step === 'summarize' ? await summarize(context, call, plan, waitsSince) : undefined;
  const draft: Draft = summarized ?? asItStands;
  // What fits by the size it was decided at is not shortened because another figure says more; what may not, by the same
  // figure, has waited for its summary.
  if (draft.prompt === call.prompt && size.most < policy.limit)
    return { ...draft, tokens, counted: size.counted };
  const { toolResults } = context;
  const { keyOf } = state;
  const { abortSignal } = params;
  const fitted = await fitPrompt({ ...call, ...draft, measure, toolResults, keyOf, abortSignal });
  if (fitted.shortening !== undefined)
    emit({ type: 'recovered', reason: 'too-long', ...fitted.shortening });
  return fitted;
}

/** The prompt with the summary of a plan; `undefined` when none could be made, or none in time. */
async function summarize(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
  waitsSince: number,
): Promise<Draft | undefined> {
  const { options, emit } = context;
  const { abortSignal } = call.params;
  const { contextLength, limit } = call.policy;
  const { decision, measure, range, tokens, size } = plan;
  const fits = size.most < limit;
  const news = {
    reason: decision.reason,
    messages: range.cut - range.start,
    tokens,
    contextLength,
    ratio: tokens / limit,
  };
  const isQueued = fits && enqueueSummary(context, call);
  // Who looks at a page is told meanwhile.
  const isToldOf = !fits || (!isQueued && options.maxWaitMs > 0);
  try {
    if (isToldOf) emit({ type: 'waiting', isOver: false, ...news });
    const made = isQueued
      ? undefined
      : await sharedSummary(context, call, plan, waitsSince).finally(() => {
          if (isToldOf) emit({ type: 'waiting', isOver: true, ...news });
        });
    if (made === undefined) {
      emit({ type: 'skipped', reason: 'summary-pending' });
      return undefined;
    }
    const { summary } = made;
    const composition = await composing(call, made.range)(summary.record, abortSignal);
    const { prompt } = composition;
    if (summary.prepared === true) {
      await measure.count(prompt, abortSignal);
      const tokensAfter = measure.prompt(prompt);
      putInPlace(context, call, summary, { tokensBefore: tokens, tokensAfter });
    }
    return { prompt, composition };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (options.abortOnFailure || SummarizationOptionError.isInstance(error)) throw error;
    // What its own failures are has been told. Whatever else fails, the call goes on without a summary: it is made to fit.
    if (!SummarizationError.isInstance(error))
      emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return undefined;
  }
}

/**
 * Makes the summary that a plan names, or waits for the one of its conversation that is being written; `undefined` once
 * the call can wait no longer.
 */
async function sharedSummary(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
  waitsSince: number,
): Promise<{ readonly summary: StoredSummary; readonly range: SummaryRange } | undefined> {
  const { view, policy } = call;
  const { range } = plan;
  const make = async (joins: Joins): ReturnType<typeof makeSummary> => {
    // Who has waited for one that was not theirs waits no longer in all.
    const waitedMs = clockMs() - waitsSince;
    return makeSummary({
      ...orderOf(context, call, plan),
      joins,
      patience: patienceOf(context, call, plan.size.most < policy.limit, waitedMs),
    });
  };
  const first = await make(plan.joins);
  if (first === undefined) return undefined;
  const { coveredMessages: count, prefixDigest } = first.record;
  // Conversations that begin alike are written one after the other: it may be of one that has gone on otherwise.
  const isOfThis =
    view.identity.indexAfter(count) !== undefined &&
    (await view.identity.prefixDigest(count)) === prefixDigest;
  const ofFirst = count === range.count ? range : await rangeBegun({ ...call, writing: count });
  if (isOfThis && ofFirst !== undefined) return { summary: first, range: ofFirst };
  // It ends where this call cannot be cut.
  const own = await make('none');
  return own && { summary: own, range };
}

/** Milliseconds of rest that a provider may ask for, where a prompt does not fit: for longer, the rules write. */
const worthwhileRestMs = 10_000;

/** Milliseconds that the fallback may take once the time of a summary is up. */
const fallbackMs = 10_000;

/** How long a call goes on to wait for a summary. One that fits can do without. */
function patienceOf(
  { options }: CallContext,
  { params: { abortSignal } }: CallReading,
  fits: boolean,
  waitedMs: number,
): SummaryOrder['patience'] {
  const left = (ms: number): number => Math.max(0, ms - waitedMs);
  const { maxWaitMs, summaryTimeoutMs } = options;
  if (fits) return { abortSignal, leaveAfterMs: left(maxWaitMs) };
  return {
    abortSignal,
    hurryAfterMs: left(summaryTimeoutMs),
    leaveAfterMs: left(summaryTimeoutMs + fallbackMs),
    hurryAtRestMs: Math.max(maxWaitMs, worthwhileRestMs),
  };
}

/** Puts a record in the place of what it stands for. */
function composing(
  { view, style }: CallReading,
  { cut }: SummaryRange,
): (record: SummaryRecord, abortSignal?: AbortSignal) => Promise<Composition> {
  return async (record, abortSignal) =>
    composePrompt(view, style, { record, cut }, timeSlices({ abortSignal }));
}

/** Share of the limit below which a prompt has room for a record to be asked for, and written. */
const roomyShare = 0.9;

/** The order for the summary that a plan names, by who does not wait for it. */
export function orderOf(
  context: CallContext,
  call: CallReading,
  plan: SummarizingPlan,
): Omit<SummaryOrder, 'patience'> {
  const { options, model, memory, namespace, toolResults, store, times } = context;
  const {
    keyring: [keys],
  } = context;
  const { params, given, view, prompt, policy, state, stored, callOptions, composition } = call;
  const { optimizeFor, messageFilter, summarizerInput, maxSummaryCallsPerHour, redact } = options;
  const { tokens, range, decision } = plan;
  const { abortSignal, ...settings } = params;
  const isAskedThere =
    summarizerInput === 'conversation' &&
    options.summarizerModelPreference === undefined &&
    redact === undefined &&
    tokens <= roomyShare * policy.limit;
  const readsFacts =
    optimizeFor === 'cost' &&
    options.condenseToolResults !== false &&
    messageFilter?.toolResults === undefined;
  return {
    ...context,
    ...call,
    ...plan,
    // The marks are ours, so that only the prompt as it was given has them.
    handedOn: new Set(params.prompt.filter((_, index) => isHandoff(given.prompt[index]))),
    place: { tokens, compose: composing(call, range) },
    reason: decision.reason,
    previous: composition && stored?.record,
    writers: {
      ...context,
      termsFor: termsOfCall(params, model),
      options: { ...options, namespace },
      declaredContextLength: declaredContextLengths(options),
      factsOf: readsFacts
        ? async (messages) =>
            condenseToolResults(
              messages,
              new Set(messages),
              timeSlices({ abortSignal }),
              toolResults,
            )
        : undefined,
      ...(isAskedThere && {
        conversation: { ...settings, ...termsAgain(params), prompt },
        recentMessages: view.conversation.length - range.cut,
      }),
      onAttempt: (attempt) => {
        context.bill.calls += 1;
        context.sink.logAttempt(attempt);
      },
      log: context.sink.log,
    },
    windows: memory.windows,
    tree: {
      store: options.summaryTreeStore,
      conversationId: callOptions.conversationId,
      namespace,
      treeId: stored?.treeId,
      redact,
      keys,
    },
    keepAlive: (work) => keepAlive(context, work),
    abortSignal: options.abortSignal,
    // Who can wait no longer has hurried it by then: a model that is asked now would be cut off.
    patienceMs: options.summaryTimeoutMs + fallbackMs,
    spend:
      maxSummaryCallsPerHour === undefined
        ? undefined
        : async () => {
            // Nobody else shares one in this process; one that is silent is not waited for again.
            const isShared = !store.isLocal && state.isAnswered();
            const shared = isShared
              ? sealedStore(store, keys, { timeoutMs: times.storeTimeoutMs })
              : undefined;
            return spend({ maxSummaryCallsPerHour, store: shared, keys, spent: memory.spent });
          },
  };
}

/**
 * Gives work that goes on beside a call to the `background` function of the caller, if there is one. A function that
 * throws or rejects costs the call nothing.
 */
export function keepAlive(
  { options: { background }, emit }: CallContext,
  work: Promise<void>,
): void {
  if (typeof background !== 'function') return;
  void (async () => {
    try {
      const given: unknown = background(work);
      // Nothing says that it is not an async function.
      await Promise.resolve(given);
    } catch (error) {
      emit({ type: 'failed', stage: 'background', reason: 'the background function threw', error });
    }
  })();
}

/**
 * Lets a prepared summary that stands in a prompt be found from now on: by this process at once, by the others
 * beside the call.
 *
 * @param sizes - Tokens of the prompt without it and with it.
 */
export function putInPlace(
  context: CallContext,
  { view: { identity, conversation }, policy, state }: CallReading,
  summary: StoredSummary,
  { tokensBefore, tokensAfter }: { readonly tokensBefore: number; readonly tokensAfter: number },
): void {
  const standing = {
    lastSummarization: {
      depth: summary.record.depth,
      messageCount: identity.significantBefore(conversation.length),
      tokenRatio: tokensAfter / policy.limit,
    },
    ratioIfUndone: ratioIfUndone(tokensBefore, tokensAfter, policy),
  };
  keepAlive(context, placeSummary(state, summary, standing));
}
