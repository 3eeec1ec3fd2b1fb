import { composePrompt } from '../../planning/composing/compose-prompt.ts';
import { SummarizationError } from '../../foundations/errors/summarization-error.ts';
import { SummarizationOptionError } from '../../foundations/errors/summarization-option-error.ts';
import { fitPrompt, type Draft, type FittedCall } from '../fitting/fit-prompt.ts';
import { ratioIfUndone } from '../../planning/plan/decide.ts';
import type { SummaryRange } from '../../planning/plan/plan.ts';
import { type StoredSummary, recordIdOf } from '../../foundations/record/build-record.ts';
import { callCounter, measureWith } from '../../planning/sizing/token-measure.ts';
import { eventSize } from '../report/report-call.ts';
import type { Patience } from '../../state/conversation/flight.ts';
import {
  findPrepared,
  nextKey,
  startEpochOf,
  type ConversationState,
} from '../../state/conversation/conversation-state.ts';
import { placeSummary } from '../../state/conversation/keep-summary.ts';
import { matchesPrefix } from '../../state/conversation/match-records.ts';
import { readConversation } from '../../state/conversation/read-conversation.ts';
import { noteChanged, noteWindow } from '../writing/unfound-summaries.ts';
import { runAfter, clockMs } from '../../foundations/util/async/waiting.ts';
import {
  planSummary,
  rangeInProgress,
  type Plan,
  type PlannedCall,
  type SummarizingPlan,
} from './plan-call.ts';
import { fallbackMs, keepAlive, makeSummary, writeTransientSummary } from './make-summary.ts';
import type { Call } from './read-call.ts';
import { packValue, unpackValue } from '../../state/archive/pack-archive.ts';
import type { CallOptions } from '../../prompt/messages/prompt-types.ts';
import { providerOptionsKey } from '../../prompt/messages/own-options.ts';
import { withoutCredentials } from '../../prompt/messages/provider-options.ts';
import type { Epochs } from '../../state/conversation/conversation-documents.ts';
import type { StoreKeys } from '../../state/stores/store-keys.ts';
import type { SummaryJob } from '../options/summary-queue.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { boundedMap } from '../../foundations/util/maps/bounded-map.ts';

/**
 * Begins the work beside a call: puts a prepared summary in its place for all, or prepares the next one.
 *
 * @returns a function to call as soon as the model has begun to answer, if there is work.
 */
export async function startBackgroundWork(planned: PlannedCall): Promise<(() => void) | undefined> {
  const { call, plan, tokensBefore } = planned;
  if (tokensBefore !== undefined && call.stored !== undefined)
    putInPlace(call, call.stored, tokensBefore, plan.tokens);
  return plan.decision.ahead === true ? prepareAhead(planned) : undefined;
}

/** Makes a prompt fit that is too long without a summary, or with it; `undefined` if the call is sent as it stands. */
export async function fitDraft(
  { call, plan }: PlannedCall,
  summarized: Draft | undefined,
): Promise<FittedCall | undefined> {
  const { context, policy, composition } = call;
  const { prompt } = call.scan;
  const { options, toolResults, emit } = context;
  const { size, measure } = plan;
  if (measure === undefined) return undefined;
  if (plan.step === 'condense') emit({ type: 'skipped', reason: 'condensed' });
  if (plan.step === 'fit') {
    emit({ type: 'skipped', reason: plan.reason });
    await noteUnpaid(call, plan);
    if (plan.failure !== undefined && options.abortOnFailure) throw plan.failure;
  }
  const condensed = plan.step === 'condense' ? { prompt: plan.prompt, composition } : undefined;
  const rules = size.most < policy.keptTo ? undefined : await draftByRules(call, plan);
  const draft = summarized ?? condensed ?? rules ?? { prompt, composition };
  // A prompt that fits by the size of its decision is not shortened because of another size. A prompt that may not
  // fit by the same size has waited for its summary.
  if (draft.prompt === prompt && size.most < policy.keptTo) return undefined;
  const fitted = await fitPrompt({ ...call, options, toolResults, ...draft, measure });
  const { tokens, shortenedMessages } = fitted;
  if (shortenedMessages !== undefined) {
    const [tokensBefore, tokensAfter] = [measure.prompt(draft.prompt), tokens];
    emit({ type: 'recovered', reason: 'too-long', tokensBefore, tokensAfter, shortenedMessages });
  }
  return fitted;
}

/** Remembers and warns of conversations whose summaries are not paid for, as no request would find them again. */
async function noteUnpaid(call: Call, plan: Plan): Promise<void> {
  if (plan.reason === 'sliding-window') await noteWindow(call, call.context.warn);
  if (plan.step !== 'fit' || plan.changed === undefined) return;
  await noteChanged(call, plan.changed, call.context.warn);
}

/** Composes the prompt with a free summary that is not kept, if none is paid for because the history changes. */
async function draftByRules(call: Call, plan: Plan): Promise<Draft | undefined> {
  if (plan.step !== 'fit' || plan.changed === undefined) return undefined;
  const { range } = plan.changed;
  const record = await writeTransientSummary(call, {
    ...plan,
    step: 'summarize',
    range,
    joins: 'none',
  });
  if (record === undefined) return undefined;
  const composition = composePrompt(call.view, call.style, { record, cut: range.cut });
  return { prompt: composition.prompt, composition };
}

/** Composes the prompt with the summary of a plan; `undefined` if none could be made, or none in time. */
export async function summarize(
  { call, waitsSince }: PlannedCall,
  plan: SummarizingPlan,
): Promise<Draft | undefined> {
  const { context, params, policy, view, style } = call;
  const { options, emit } = context;
  const { maxWaitMs, summaryTimeoutMs } = options;
  const { abortSignal } = params;
  const { decision, measure, range, tokens } = plan;
  const fits = plan.size.most < policy.keptTo;
  if (fits && enqueueSummary(call)) {
    emit({ type: 'skipped', reason: 'summary-pending' });
    return undefined;
  }
  const { reason } = decision;
  const tellOfWait = (isOver: boolean): void => {
    const wait = { isOver, reason, messages: range.cut - range.start };
    if (!fits || maxWaitMs > 0)
      emit({ type: 'waiting', ...wait, ...eventSize({ policy, tokens }) });
  };
  // The time that a call has waited for the summary of another call counts.
  const left = (ms: number): number => Math.max(0, ms - (clockMs() - waitsSince));
  const patience = (): Patience =>
    // A prompt that fits can do without a summary.
    fits
      ? { abortSignal, leaveAfterMs: left(maxWaitMs) }
      : {
          abortSignal,
          hurryAfterMs: left(summaryTimeoutMs),
          leaveAfterMs: left(summaryTimeoutMs + fallbackMs),
          hurryAtRestMs: Math.max(maxWaitMs, worthwhileRestMs),
        };
  // Pages are told of the wait.
  tellOfWait(false);
  try {
    let summary = await makeSummary(call, plan, { patience: patience() });
    let place = summary && (await rangeOf(call, range, summary));
    if (summary !== undefined && place === undefined) {
      summary = await makeSummary(call, plan, { joins: 'none', patience: patience() });
      place = range;
    }
    if (summary === undefined || place === undefined) {
      emit({ type: 'skipped', reason: 'summary-pending' });
      return undefined;
    }
    const composition = composePrompt(view, style, { record: summary.record, cut: place.cut });
    const { prompt } = composition;
    if (summary.prepared === true) {
      await measure.count(prompt, abortSignal);
      putInPlace(call, summary, tokens, measure.prompt(prompt));
    }
    return { prompt, composition };
  } catch (error) {
    abortSignal?.throwIfAborted();
    if (options.abortOnFailure || SummarizationOptionError.isInstance(error)) throw error;
    // Failures of the summary were reported before. After any other one, the call goes on without a summary and is made
    // to fit.
    if (!SummarizationError.isInstance(error))
      emit({ type: 'failed', stage: 'prepare', reason: 'unexpected error', error });
    return undefined;
  } finally {
    tellOfWait(true);
  }
}

/**
 * Finds the range of a conversation that a summary covers; `undefined` if the summary belongs to another one, or ends
 * where this one cannot be cut.
 */
async function rangeOf(
  call: Call,
  range: SummaryRange,
  { record: { coveredMessages: count, prefixDigest } }: StoredSummary,
): Promise<SummaryRange | undefined> {
  // Conversations that begin alike are written one after the other: the summary may be of one that went on otherwise.
  if (!(await matchesPrefix(call.state.identity, { count, digest: prefixDigest })))
    return undefined;
  return count === range.count ? range : rangeInProgress(call, count);
}

/**
 * Longest rest in milliseconds that a provider may ask for if a prompt does not fit; else the rule-based summarizer
 * writes.
 */
const worthwhileRestMs = 10_000;

/**
 * Lets a prepared summary that is in a prompt be found from now on: by this process at once, by others beside the call.
 *
 * @param tokensBefore - Size of the prompt without the summary.
 * @param tokensAfter - Size of the prompt with the summary.
 */
function putInPlace(
  call: Call,
  summary: StoredSummary,
  tokensBefore: number,
  tokensAfter: number,
): void {
  const { view, policy, state } = call;
  const standing = {
    lastSummarization: {
      depth: summary.record.depth,
      messageCount: view.identity.significantBefore(view.conversation.length),
      tokenRatio: tokensAfter / policy.limit,
    },
    ratioIfUndone: ratioIfUndone(tokensBefore, tokensAfter, policy),
  };
  keepAlive(call.context, placeSummary(state, summary, standing));
}

/** Milliseconds after which the work begins in any case: the model may never be asked. */
const latestMs = 10_000;

/**
 * Prepares the next summary of a conversation beside the answer to a call.
 *
 * @returns the function that begins the work, to call as soon as the model has begun to answer; `undefined` if a queue
 * has it.
 */
function prepareAhead({ call, plan }: PlannedCall): (() => void) | undefined {
  const { context } = call;
  if (enqueueSummary(call)) return undefined;
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const silence = runAfter(latestMs, begin);
  const prepare = async (): Promise<void> => {
    await begun;
    silence();
    try {
      await prepareRecord(call, plan);
    } catch (error) {
      if (context.options.abortSignal?.aborted === true) return;
      const reason = 'a summary could not be prepared';
      context.emit({ type: 'failed', stage: 'background', reason, error });
    }
  };
  keepAlive(context, prepare());
  return begin;
}

/**
 * Makes and keeps the summary that a conversation will need soon, by the plan of a call that was below the trigger. No
 * call sends the summary before it is due. It is finished whatever becomes of the call, unless the `abortSignal` of the
 * middleware ends it.
 *
 * @returns `undefined` when there is nothing to be prepared, or the summary could not be made.
 */
export async function prepareRecord(call: Call, plan: Plan): Promise<StoredSummary | undefined> {
  const { context, state, calibration } = call;
  const { prompt } = call.scan;
  const { model, failures } = context;
  const { abortSignal } = context.options;
  // A summary that failed in advance is not tried again with each new message.
  const failureKey = `ahead ${await nextKey(state)}`;
  if (failures.recall(failureKey) !== undefined) return undefined;
  const { abortSignal: _, ...rest } = call.params;
  const own: Call = { ...call, params: { ...rest, ...(abortSignal && { abortSignal }) } };
  const measure =
    plan.measure ??
    measureWith(await callCounter(own.params, model, calibration), calibration.rates());
  await measure.count(prompt, abortSignal);
  const tokens = measure.prompt(prompt);
  const decision = { act: 'summarize', reason: 'ahead' } as const;
  const due = await planSummary(own, { ...plan, measure, tokens, decision, reason: 'ahead' });
  await noteUnpaid(call, due);
  if (due.step !== 'summarize') return undefined;
  const { prepared, found } = await readConversation(state.documents, { isPaying: true });
  // Another process was first, or the conversation has gone on elsewhere.
  if (prepared !== undefined || found?.token !== state.found?.token) return prepared;
  try {
    await makeSummary(own, due, { aheadKey: failureKey, patience: {} });
  } catch (error) {
    // The failure was reported before.
    if (!SummarizationError.isInstance(error)) throw error;
  }
  return findPrepared(state);
}

/** Contents of a job. */
export interface QueuedCall {
  readonly params: CallOptions;
  /** Epochs of the conversation when the call was sent: summaries that were erased since then are not made anew. */
  readonly epochs: Epochs;
}

/** Times when this process handed jobs to a queue, about 250 bytes each, by model and id. */
const enqueued = boundedMap<number>(10_000);

/** Milliseconds after which a job is handed in again if its summary is missing: a queue may lose one. */
const againMs = 60_000;

/**
 * Hands the summary of a call to the queue from which other processes take summaries to make, once a minute at most:
 * every call until the summary is there wants the same one. No call waits for the queue; after a failure, a later call
 * tries again.
 *
 * @returns whether there is a queue.
 */
function enqueueSummary(call: Call): boolean {
  const { options, modelKey, emit } = call.context;
  const { background: queue } = options;
  if (typeof queue !== 'object') return false;
  void (async () => {
    let key: string | undefined;
    try {
      const id = await jobIdOf(call);
      const place = `${modelKey} ${id}`;
      if (clockMs() - (enqueued.get(place) ?? -againMs) < againMs) return;
      key = place;
      enqueued.set(key, clockMs());
      await queue.enqueue(await summaryJob(call, id));
    } catch (error) {
      if (key !== undefined) enqueued.delete(key);
      const reason = 'the summary could not be enqueued';
      emit({ type: 'failed', stage: 'background', reason, error });
    }
  })();
  return true;
}

/** Makes the id of a job, the same until there is another summary, as all calls until then want the same one. */
async function jobIdOf({ context, snapshot, state }: Call): Promise<string> {
  const wanted = [await nextKey(state), snapshot.forced ? 'asked' : 'due'];
  // Some queues take no id that is a number.
  return `summary-${recordIdOf(await context.place.keys.key('job', ...wanted))}`;
}

/** Writes the parts of a call that matter for its size or its summary: nothing that may hold a credential. */
async function summaryJob({ context, given, state }: Call, id: string): Promise<SummaryJob> {
  const { namespace } = context;
  const { conversationId, keys, retentionMs } = context.place;
  const { prompt, tools, toolChoice, responseFormat, maxOutputTokens } = given;
  const conversation = conversationId === undefined ? {} : { conversationId };
  const own = { ...given.providerOptions?.[providerOptionsKey], ...conversation };
  const providerOptions = withoutCredentials({
    ...given.providerOptions,
    [providerOptionsKey]: own,
  });
  const params = { tools, toolChoice, responseFormat, maxOutputTokens, providerOptions, prompt };
  const queued = { params, epochs: [...(await epochsOf(state))] };
  const until = Date.now() + retentionMs;
  const sealed = await keys.seal(await keys.key('job'), await packValue(queued), until, true);
  return { id, namespace, ...conversation, call: sealed };
}

/**
 * Returns the epochs of all documents of a conversation: without one, a job would bring back what is erased before its
 * turn.
 *
 * @throws {Error} when the store does not answer.
 */
async function epochsOf(state: ConversationState): Promise<Epochs> {
  const { documents, epochs } = state;
  const keys = await documents.names.all();
  if (keys.some((key) => startEpochOf(state, key) === undefined)) {
    documents.beginWriting();
    if (!(await documents.read())) throw new Error('The store did not answer.');
  }
  return new Map([...documents.epochs, ...epochs]);
}

/** Opens the call of a job; `undefined` when it was not sealed under this secret and namespace, or too long ago. */
export async function queuedCall(keys: StoreKeys, sealed: string): Promise<QueuedCall | undefined> {
  const key = await keys.key('job');
  const former = keys.former(key);
  const opened = (await keys.open(key, sealed)) ?? (await former?.keys.open(former.key, sealed));
  if (opened === undefined) return undefined;
  const read = await unpackValue(opened.text);
  return isQueued(read) ? { params: read.params, epochs: new Map(read.epochs) } : undefined;
}

/** Whether a sealed value is a call: the package wrote it, but perhaps in another version. */
function isQueued(
  read: unknown,
): read is { readonly params: CallOptions; readonly epochs: [string, string][] } {
  return isObject(read) && isObject(read['params']) && Array.isArray(read['epochs']);
}
