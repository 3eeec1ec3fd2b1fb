import { cleanRecord } from '../../prompt/cleaning/clean-content.ts';
import { makeRedactor } from '../../prompt/cleaning/redactor.ts';
import { composePrompt } from '../../planning/composing/compose-prompt.ts';
import { omittedSummary } from '../../planning/composing/render-summary.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { condenseToolResults } from '../fitting/condensed-messages.ts';
import { declaredContextLengths } from '../options/resolve-policy.ts';
import { ratioIfUndone } from '../../planning/plan/decide.ts';
import type { JoinPolicy } from '../../planning/plan/plan.ts';
import { isHandoff } from '../../prompt/messages/own-options.ts';
import type { Message } from '../../prompt/messages/prompt-types.ts';
import {
  settingsForSamePrompt,
  settingsForModels,
} from '../../prompt/messages/provider-options.ts';
import { treeTexts } from '../../foundations/record/tree-texts.ts';
import type { StoredSummary } from '../../foundations/record/build-record.ts';
import type { SummaryRecord } from '../../foundations/record/summary-record.ts';
import { inSummarySpan } from '../report/events.ts';
import type { CallWarning } from '../report/reporter.ts';
import { type FlightControls, lostWork, type Patience } from '../../state/conversation/flight.ts';
import { inConversation } from '../../foundations/telemetry/telemetry.ts';
import { usageScope } from '../../planning/sizing/usage.ts';
import { isErased, joinFlight } from '../../state/conversation/conversation-state.ts';
import { saveSummary, acquireLease } from '../../state/conversation/keep-summary.ts';
import {
  anonymousTreeId,
  summaryTreeId,
  treeTimeoutMs,
  treeQueues,
} from '../../state/stores/summary-store.ts';
import type { SummaryAttempt } from '../../summaries/strategies/summary-strategy.ts';
import { isTransient } from '../writing/failure-memory.ts';
import { notePaid, noteWindow } from '../writing/unfound-summaries.ts';
import { countCall } from '../writing/spending.ts';
import { type RecordRequest, writeRecord } from '../writing/write-record.ts';
import { withDeadline } from '../../foundations/util/async/waiting.ts';
import type { CallContext } from './call-context.ts';
import type { SummarizingPlan } from './plan-call.ts';
import type { Call } from './read-call.ts';

/** Terms of a planned summary. */
export interface SummaryTask {
  /** How long the call waits: without an end, or until the summary continues beside it. */
  readonly patience: Patience;
  /** @default as it was planned */
  readonly joins?: JoinPolicy | undefined;
  /**
   * The record that the summary continues.
   * @default the one that applies
   */
  readonly previous?: SummaryRecord | undefined;
  /**
   * Key under which a failure is remembered, for a summary that is made before it is due and stands in no prompt
   * before.
   * @default the summary is due
   */
  readonly aheadKey?: string | undefined;
}

/** Milliseconds that the fallback may take once the time of a summary is up. */
export const fallbackMs = 10_000;

/**
 * Writes, checks and stores the summary that a plan names. All calls that continue the same record share one summary,
 * which is finished even if they leave, unless the `abortSignal` of the middleware ends it; processes that share a
 * store take turns. So the summary may stand for other messages than were asked for, unless `joins` is `none`.
 *
 * @returns `undefined` if the call could not wait any longer.
 * @throws {SummarizationError} when neither the strategy nor its fallback wrote a usable summary.
 */
export async function makeSummary(
  call: Call,
  plan: SummarizingPlan,
  task: SummaryTask,
): Promise<StoredSummary | undefined> {
  const { joins = plan.joins, patience } = task;
  for (;;) {
    const { flight, isOurs } = await joinFlight(call.state, plan.range.count, joins);
    if (isOurs) flight.follow(write(call, plan, { ...task, joins }, flight.controls));
    if (patience.leaveAfterMs !== undefined) keepAlive(call.context, flight.ended);
    const summary = await flight.wait(patience);
    if (summary !== lostWork) return summary;
    flight.end();
  }
}

/**
 * Passes work beside a call to the `background` function of the caller, if there is one. A function that throws or
 * rejects does not harm the call.
 */
export function keepAlive(
  { options: { background }, emit }: CallContext,
  work: Promise<void>,
): void {
  if (typeof background !== 'function') return;
  // The function may be async.
  const keep = async (): Promise<unknown> => background(work);
  keep().catch((error: unknown) =>
    emit({ type: 'failed', stage: 'background', reason: 'the background function threw', error }),
  );
}

/** Waits for its turn, writes the summary, stores and reports it; remembers a failure. */
async function write(
  call: Call,
  plan: SummarizingPlan,
  task: SummaryTask & { readonly joins: JoinPolicy },
  controls: FlightControls,
): Promise<StoredSummary> {
  const { joins, previous = call.stored?.record, aheadKey, patience } = task;
  const { context, state, view, policy } = call;
  const { options, strategy, emit } = context;
  const { conversationId } = context.place;
  const { range, tokens, decision } = plan;
  const { abortSignal, summaryTimeoutMs } = options;
  const key = await state.keyOf(range.count);
  /** The last attempt of each model: a model that was too small for the messages, or refused a form, has not failed. */
  const attempts = new Map<string, SummaryAttempt>();
  // A call that can wait no longer has hurried the summary by then: a model that is asked now would be cut off.
  const patienceMs = summaryTimeoutMs + fallbackMs;
  const lease = await acquireLease(state, range.count, {
    joins,
    patienceMs,
    abortSignal,
    ...controls,
  });
  try {
    if (abortSignal?.aborted === true || !controls.isWanted()) throw ended(abortSignal);
    if ('record' in lease) return lease;
    const isAhead = aheadKey !== undefined;
    const treeId = await treeIdOf(call, key);
    const clean = makeRedactor(options.redact);
    const telemetry = inConversation(
      options.telemetry ?? {},
      conversationId && clean(conversationId),
    );
    // The rule-based summarizer costs nothing.
    const isCounted = strategy?.name !== 'rule-based';
    const maxCalls = isCounted ? await countCall(context, state.documents) : undefined;
    let calls = 0;
    const onAttempt = (attempt: SummaryAttempt): void => {
      calls += 1;
      // The first call was counted before it was made.
      if (isCounted && calls > 1) void countCall(context, state.documents);
      context.bill.calls += 1;
      context.reporter.logAttempt(attempt);
      // The kind of an error is the provider's own word, and may quote a text.
      const detail = attempt.detail && clean(attempt.detail);
      if (attempt.isTooLong !== true && attempt.outcome !== 'aborted' && !attempt.refused)
        attempts.set(attempt.model, { ...attempt, detail });
    };
    const planned = await requestOf(call, plan, previous);
    const request: RecordRequest = {
      ...planned,
      options: { ...planned.options, telemetry },
      given: {
        ...planned.given,
        maxCalls,
        onAttempt,
        onRest: controls.announcePause,
        onAlive: controls.reportProgress,
      },
      giveUp: maxCalls === 0 ? AbortSignal.abort(overLimit()) : controls.hurry,
      // A summary in advance needs no fallback, and after a short failure of the model the next call writes it,
      // unless a call cannot go on without it.
      fallsBack: (failure) => controls.isNeeded() || !(isTransient(failure) || isAhead),
    };
    const begun = { reason: decision.reason, prepared: isAhead, tokensBefore: tokens };
    const { record, tokensAfter } =
      telemetry.tracer === undefined
        ? await writeRecord(request)
        : await inSummarySpan(telemetry, begun, emit, (tell) =>
            writeRecord({ ...request, emit: tell }),
          );
    if (conversationId === undefined && record.parentId === undefined)
      await noteWindow(call, context.warn);
    if (isCounted) await notePaid(call, range, record.prefixDigest);
    const messageCount = view.identity.significantBefore(view.conversation.length);
    const tokenRatio = tokensAfter / policy.limit;
    const made: StoredSummary = {
      record,
      from: 0,
      lastSummarization: { depth: record.depth, messageCount, tokenRatio },
      treeId,
      ratioIfUndone: ratioIfUndone(tokens, tokensAfter, policy),
      ...(isAhead && { prepared: true }),
    };
    const summary = await saveSummary(state, made, lease);
    if (summary === made) await keepTree(call, summary, previous);
    return summary ?? made;
  } catch (error) {
    if (options.abortSignal?.aborted === true) throw ended(abortSignal);
    // A summary that no call waits for any more has not failed.
    if (SummarizationError.isInstance(error) && error.reason !== 'aborted')
      context.failures.remember(aheadKey ?? key, error);
    throw error;
  } finally {
    const ending = 'record' in lease ? undefined : lease.end();
    if (ending !== undefined && patience.leaveAfterMs !== undefined) keepAlive(context, ending);
    for (const attempt of attempts.values())
      if (attempt.outcome !== 'ok') context.warn(attemptWarning(attempt));
  }
}

/**
 * Writes the warning of a summarizing model without a usable answer, as nobody may be listening to events: by name and
 * kind of error, without any text.
 */
function attemptWarning({ model, outcome, detail = 'unknown error' }: SummaryAttempt): CallWarning {
  const isAway = outcome === 'transport-error';
  const what = isAway ? 'could not be used' : 'gave no usable summary';
  // A model id goes to the gateway, which users with only a key of the provider do not expect.
  const hint =
    "Given as a string it goes through the Vercel AI Gateway: set AI_GATEWAY_API_KEY, or give the model object of a provider, such as openai('gpt-5-nano').";
  return {
    code: 'summarizer-failed',
    cause: `${model} ${detail}`,
    message:
      `The summarizing model ${model} ${what} (${detail}): summaries are written by the next model of ` +
      'summarizerModelPreference, else without a model. The events that onEvent is told hold the error.' +
      (isAway && model.startsWith('gateway:') ? ` ${hint}` : ''),
  };
}

/** Placeholder of a message that is not to be read: items of a record name their messages by position. */
const leftOut: Message = { role: 'system', content: '' };

/**
 * Writes a summary for one prompt alone, if the fallback writes without a model; nothing of it is kept.
 *
 * @returns `undefined` if no summary could be written.
 */
export async function writeTransientSummary(
  call: Call,
  plan: SummarizingPlan,
): Promise<SummaryRecord | undefined> {
  const { fallbackStrategy: strategy } = call.context;
  if (strategy?.name !== 'rule-based') return undefined;
  const { abortSignal } = call.params;
  const own = { strategy, fallbackStrategy: undefined, abortSignal, emit: () => {} };
  return writeRecord({ ...(await requestOf(call, plan, call.stored?.record)), ...own }).then(
    ({ record }) => record,
    () => undefined,
  );
}

/** Makes the request for a record from a plan, without the facts that are known when the work begins. */
async function requestOf(
  call: Call,
  plan: SummarizingPlan,
  previous: SummaryRecord | undefined,
): Promise<RecordRequest> {
  const { context, params, state, view, style, policy } = call;
  const { options, model, strategy, fallbackStrategy, toolResults, emit } = context;
  const { systems, conversation, originals, identity } = view;
  const { tokens, range, measure, decision } = plan;
  const { start, cut, count } = range;
  const { abortSignal: _signal, ...settings } = params;
  // The marks are the package's own, so that only the original prompt has them.
  const history = originals
    .slice(0, cut)
    .map((each, at) => (isHandoff(call.given.prompt[systems.length + at]) ? leftOut : each));
  const readsFacts =
    options.optimizeFor === 'cost' &&
    options.condenseToolResults !== false &&
    options.messageFilter?.toolResults === undefined;
  return {
    strategy,
    fallbackStrategy,
    emit,
    instructions: call.order.instructions,
    policy,
    measure,
    frame: {
      key: await state.keyOf(count),
      coveredMessages: count,
      prefixDigest: await identity.prefixDigest(count),
      openingDigests: await state.documents.names.openings(),
    },
    previous,
    messages: history.slice(start),
    history: identity.significantBefore(0) === 0 ? history : undefined,
    factsOf: readsFacts
      ? (messages) => condenseToolResults(messages, new Set(messages), toolResults)
      : undefined,
    place: {
      tokens,
      cut,
      limit: policy.limit,
      compose: (record) => composePrompt(view, style, { record, cut }).prompt,
    },
    recent: conversation.slice(cut),
    reason: decision.reason,
    options: { ...options, namespace: context.namespace },
    given: {
      model,
      termsFor: settingsForModels(params, model),
      declaredContextLength: declaredContextLengths(options),
      toolResults,
      ...(isAskedThere(call, plan) && {
        conversation: { ...settings, ...settingsForSamePrompt(params), prompt: call.scan.prompt },
        recentMessages: conversation.length - cut,
      }),
      log: context.reporter.log,
    },
    abortSignal: options.abortSignal,
  };
}

/** Share of the limit below which a prompt has room for the request and the record. */
const roomyShare = 0.9;

/** Share of a prompt that has to come from the cache to cost less than a transcript of the messages. */
const cachedShare = 0.75;

/**
 * Whether the record is asked for at the end of the prompt: the provider has most of that in its cache, by its report
 * of the call before.
 */
function isAskedThere(call: Call, { tokens }: SummarizingPlan): boolean {
  const { context, scan, composition, policy } = call;
  const { options, memory, modelKey } = context;
  if (tokens > roomyShare * policy.limit) return false;
  if (options.summarizerInput !== 'auto') return options.summarizerInput === 'conversation';
  const reported = memory.usage.find(scan, usageScope(modelKey, composition));
  return (reported?.cacheReadTokens ?? 0) >= cachedShare * tokens;
}

function overLimit(): SummarizationError {
  const message =
    'Summarizing models were called as often as maxSummaryCallsPerHour allows in an hour.';
  return new SummarizationError({ reason: 'hourly-limit', message, retryable: true });
}

function ended(abortSignal: AbortSignal | undefined): SummarizationError {
  const message = 'The abortSignal of the middleware ended the summary.';
  const cause: unknown = abortSignal?.reason;
  return new SummarizationError({ reason: 'aborted', message, retryable: true, cause });
}

/**
 * Returns the id of a conversation's tree of summaries, which its records name, so that an erasure finds the tree. A
 * conversation without an id, or with an id that `redact` changes, gets the id of its tree with the first summary:
 * conversations that begin alike have had different summaries since then. `undefined` if no tree is kept.
 *
 * @param key - Store key of the summary that is made now.
 */
async function treeIdOf(
  { context: { options, place, namespace }, stored }: Call,
  key: string,
): Promise<string | undefined> {
  const { summaryTreeStore, redact } = options;
  const { conversationId, keys } = place;
  const treeId = stored?.treeId;
  if (summaryTreeStore === undefined || (conversationId === undefined && treeId !== undefined))
    return treeId;
  const id = conversationId && summaryTreeId({ conversationId, namespace });
  if (id !== undefined && (redact === undefined || makeRedactor(redact)(id) === id)) return id;
  // The id is signed: conversations differ whatever `redact` leaves of their ids, and no store key is in it.
  return anonymousTreeId(await keys.key('tree', id ?? key));
}

/** Milliseconds that a call waits for a tree store, which continues after that. */
const treeWaitMs = 250;

/**
 * Hands a summary that has been stored to the tree store, with the one that it continues. Resolves after 250 ms at most
 * and never rejects; the result is reported as an event.
 */
async function keepTree(
  { context: { options, emit }, state }: Call,
  { record, treeId }: StoredSummary,
  previous: SummaryRecord | undefined,
): Promise<void> {
  const { summaryTreeStore: store, redact } = options;
  // A placeholder must not replace a summary that says something.
  if (store === undefined || treeId === undefined || record.summary === omittedSummary) return;
  const persist = async (): Promise<void> => {
    const before = previous && cleanRecord(previous, makeRedactor(redact));
    await store.persist(treeId, { ...record.metrics, ...treeTexts(record, before) });
    if (await isErased(state)) return store.delete(treeId);
    emit({ type: 'persisted', treeId });
  };
  const keeping = treeQueues(store)(treeId, async () =>
    withDeadline(undefined, treeTimeoutMs, persist),
  ).catch((error: unknown) =>
    emit({ type: 'failed', stage: 'persist', reason: 'the summary tree store failed', error }),
  );
  await withDeadline(undefined, treeWaitMs, () => keeping).catch(() => {});
}
