import { type Redact, redactionDoor } from '../cleaning/redaction-door.ts';
import { omittedSummary } from '../composing/render-summary.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { ratioIfUndone, type TriggerPolicy } from '../planning/decide.ts';
import type { Joins, RangePolicy, SummaryRange } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import { recordText } from '../record/content-items.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { ChunkSummary, HierarchicalSummary } from '../record/summary-result.ts';
import { inSummarySpan } from '../report/events.ts';
import type { CallReporter, CallWarning } from '../report/reporter.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { type Course, dead, type Patience } from '../state/flight.ts';
import { saveSummary, takeTurn } from '../state/keep-summary.ts';
import type { StoreKeys } from '../stores/store-keys.ts';
import {
  anonymousTreeId,
  summaryTreeId,
  type SummaryTreeStore,
  treeTimeoutMs,
  treeTurns,
} from '../stores/summary-store.ts';
import { treeRecords } from '../stores/summary-trees.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { withDeadline } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { type FailureMemory, isPassing } from './failure-memory.ts';
import { noteWindow, type WindowPlace } from './sliding-window.ts';
import { type RecordRequest, writeRecord } from './write-record.ts';

/** A summary to be made for a call. */
export interface SummaryOrder
  extends
    WindowPlace,
    Pick<
      RecordRequest,
      'writers' | 'previous' | 'reason' | 'instructions' | 'measure' | 'emit' | 'abortSignal'
    > {
  readonly view: Pick<ConversationView, 'conversation' | 'identity'>;
  /** Messages that stay, and that no record of this conversation tells of. */
  readonly handedOn?: ReadonlySet<Message> | undefined;
  /** What the record will stand for. */
  readonly range: SummaryRange;
  readonly policy: RecordRequest['policy'] & Pick<RangePolicy, 'limit'> & TriggerPolicy;
  /** The prompt that it is to make smaller. */
  readonly place: NonNullable<RecordRequest['place']>;
  readonly state: ConversationState;
  readonly failures: Pick<FailureMemory, 'remember'>;
  readonly tree: TreePlace;
  /** Whether it is made before it is due, and is to stand in no prompt before. */
  readonly isAhead?: boolean | undefined;
  readonly joins: Joins;
  /** How long the call waits. */
  readonly patience: Patience;
  /** Given what is to be kept alive when the call has gone on; it never rejects. */
  readonly keepAlive?: ((work: Promise<void>) => void) | undefined;
  /** Counts a call of a model, where they are bounded, and says how many there may be from then on, that one included. */
  readonly spend?: (() => Promise<number>) | undefined;
  /** Milliseconds for which another process is waited for that writes it. */
  readonly patienceMs: number;
}

/**
 * Writes, checks and stores the summary of a range. Everybody who wants one that continues the same shares one summary,
 * which is finished whoever leaves unless `abortSignal` ends it; processes that share a store take turns. So it may stand
 * for other messages than were asked for, unless `joins` is `none`.
 *
 * @returns `undefined` when the call was not to wait for it any longer.
 * @throws {SummarizationError} when neither the strategy nor its fallback wrote a usable summary.
 */
export async function makeSummary(order: SummaryOrder): Promise<StoredSummary | undefined> {
  const { state, range, joins, patience, tree, emit } = order;
  let keeping: Promise<void> | undefined;
  const work = async (course: Course): Promise<StoredSummary> => {
    const turn = await takeTurn(state, range.count, { ...order, ...course });
    const isEnded = order.abortSignal?.aborted === true || !course.isWanted();
    try {
      if (isEnded) throw ended(order.abortSignal);
      if ('record' in turn) return turn;
      const { made, hierarchical } = await write(order, course);
      const summary = await saveSummary(state, made, turn);
      const isErased = async (): Promise<boolean> => state.isErased();
      // Nothing is waited for between the summary and its saving, which who comes then waits for.
      if (summary === made) keeping = keepTree(tree, { summary, hierarchical, isErased, emit });
      return summary ?? made;
    } finally {
      if ('end' in turn) void turn.end();
    }
  };
  for (;;) {
    const flight = await state.flight(range.count, joins, work);
    order.keepAlive?.(flight.ended.then(() => keeping));
    const summary = await flight.wait(patience);
    if (summary !== dead) {
      // Only who made it waits for it, and not for long.
      if (summary !== undefined) await keeping;
      return summary;
    }
    flight.end();
  }
}

/** Keeps the place of a message that is not to be read: items of a record name their messages by place. */
const leftOut: Message = { role: 'system', content: '' };

/** Writes the summary and tells of it; remembers that it could not be written. */
// oxlint-disable-next-line max-lines-per-function -- the steps of one summary, which share what they count
async function write(order: SummaryOrder, course: Course) {
  const { state, view, range, policy, writers, reason, place, tree, abortSignal } = order;
  const { identity } = view;
  const key = await state.keyOf(range.count);
  const treeId = await treeIdOf(tree, key);
  const openingDigests = await state.names.openings();
  /** The last attempts of each model: one that was too small for the messages, or refused a form, has not failed. */
  const attempts = new Map<string, SummaryAttempt>();
  const clean = redactionDoor(writers.options.redact);
  // The rules cost nothing.
  const spend = writers.strategy?.name === 'rule-based' ? undefined : order.spend;
  const maxCalls = await spend?.();
  let calls = 0;
  const onAttempt = (attempt: SummaryAttempt): void => {
    calls += 1;
    // The first one has been counted before it was made.
    if (calls > 1) void spend?.();
    writers.onAttempt?.(attempt);
    // The kind of an error is its own word, and may be one of the texts.
    const detail = attempt.detail && clean(attempt.detail);
    if (attempt.isTooLong !== true && attempt.outcome !== 'aborted' && !attempt.refused)
      attempts.set(attempt.model, { ...attempt, detail });
  };
  const history = view.conversation
    .slice(0, range.cut)
    .map((message) => (order.handedOn?.has(message) === true ? leftOut : message));
  const isAhead = order.isAhead === true;
  const begun = { reason, prepared: isAhead, tokensBefore: place.tokens };
  try {
    return await inSummarySpan(writers.options.telemetry ?? {}, begun, order.emit, async (emit) => {
      const { hierarchical, record, ...figures } = await writeRecord({
        ...order,
        emit,
        key,
        openingDigests,
        identity,
        count: range.count,
        messages: history.slice(range.start),
        history: identity.significantBefore(0) === 0 ? history : undefined,
        writers: { ...writers, maxCalls, onAttempt, onRest: course.rest, onAlive: course.alive },
        giveUp: maxCalls === 0 ? AbortSignal.abort(overLimit()) : course.hurry,
        // What is made ahead of need can do without the second best, and a model that is away for a moment writes for
        // the next call: unless somebody can do nothing without.
        fallsBack: (failure) => course.isNeeded() || !(isPassing(failure) || isAhead),
      });
      const { depth, degraded } = record;
      const ratioBefore = place.tokens / policy.limit;
      emit({
        type: 'end',
        reason,
        record,
        depth,
        degraded,
        calls,
        coveredMessages: range.cut,
        tokensBefore: place.tokens,
        ratioBefore,
        ...figures,
      });
      if (tree.conversationId === undefined && record.parentId === undefined)
        await noteWindow(order);
      const { tokensAfter } = figures;
      const messageCount = identity.significantBefore(view.conversation.length);
      const made: StoredSummary = {
        record,
        from: 0,
        lastSummarization: { depth, messageCount, tokenRatio: tokensAfter / policy.limit },
        treeId,
        ratioIfUndone: ratioIfUndone(place.tokens, tokensAfter, policy),
        ...(isAhead && { prepared: true }),
      };
      return { made, hierarchical };
    });
  } catch (error) {
    if (abortSignal?.aborted === true) throw ended(abortSignal);
    if (SummarizationError.isInstance(error)) order.failures.remember(key, error);
    throw error;
  } finally {
    for (const attempt of attempts.values())
      if (attempt.outcome !== 'ok') order.warn(warningOf(attempt));
  }
}

function overLimit(): SummarizationError {
  const message = 'Summarising models have been called as often as maxSummaryCallsPerHour allows.';
  return new SummarizationError({ reason: 'hourly-limit', message, retryable: true });
}

function ended(abortSignal: AbortSignal | undefined): SummarizationError {
  const message = 'The abortSignal of the middleware ended the summary.';
  const cause: unknown = abortSignal?.reason;
  return new SummarizationError({ reason: 'aborted', message, retryable: true, cause });
}

/**
 * The warning of a summarising model that did not answer as it should, where nobody may be listening to events: by name
 * and kind of error, without any text.
 */
function warningOf({ model, outcome, detail = 'unknown error' }: SummaryAttempt): CallWarning {
  const isAway = outcome === 'transport-error';
  const what = isAway ? 'could not be used' : 'gave no usable summary';
  // A model id goes to the gateway, which somebody with a key of the provider alone does not expect.
  const hint =
    "Given as a string it goes through the Vercel AI Gateway: set AI_GATEWAY_API_KEY, or give the model object of a provider, such as openai('gpt-5-nano').";
  return {
    code: 'summarizer-failed',
    cause: `${model} ${detail}`,
    message:
      `The summarising model ${model} ${what} (${detail}): summaries are written by the next model of ` +
      'summarizerModelPreference, else without a model. The events that onEvent is told hold the error.' +
      (isAway && model.startsWith('gateway:') ? ` ${hint}` : ''),
  };
}

/** Where the summaries of a conversation are kept for people and programs. */
interface TreePlace {
  readonly store: SummaryTreeStore | undefined;
  /** The id that the conversation's calls carry. */
  readonly conversationId: string | undefined;
  readonly namespace: string | undefined;
  /** The id that the summary before was kept under. */
  readonly treeId: string | undefined;
  readonly keys: StoreKeys;
  /** Ids go through it too. */
  readonly redact?: Redact | undefined;
}

/**
 * The id that summaries of a conversation are kept under, which its records name, so that an erasure finds them.
 * One whose calls carry no id gets it with its first summary: conversations that begin alike have had different ones
 * since then; so does one with an id that `redact` does not leave as it is. `undefined` where nothing was kept so far.
 *
 * @param key - Store key of the summary that is made now.
 */
async function treeIdOf(
  { store, conversationId, namespace, treeId, keys, redact }: TreePlace,
  key: string,
): Promise<string | undefined> {
  if (store === undefined || (conversationId === undefined && treeId !== undefined)) return treeId;
  const id = conversationId && summaryTreeId({ conversationId, namespace });
  if (id !== undefined && (redact === undefined || redactionDoor(redact)(id) === id)) return id;
  // Signed: no two conversations have the same whatever `redact` leaves of them, and no store key stands in it.
  return anonymousTreeId(await keys.key('tree', id ?? key));
}

/** Milliseconds a caller waits for a tree store before it goes on; the store goes on too. */
const waitMs = 250;

/**
 * Hands a summary that has been stored to the tree store. Resolves after 250 ms at most and never rejects; what became of
 * it is reported as an event.
 *
 * @param made.hierarchical - What it was condensed through. The record has gone through the door, this has not.
 * @param made.isErased - Whether the conversation has been erased since, as far as the store says so now.
 */
async function keepTree(
  { store, redact }: Pick<TreePlace, 'store' | 'redact'>,
  made: {
    readonly summary: StoredSummary;
    readonly hierarchical: HierarchicalSummary | undefined;
    readonly isErased: () => Promise<boolean>;
    readonly emit: CallReporter['emit'];
  },
): Promise<void> {
  const { record, treeId } = made.summary;
  // A placeholder must not take the place of a summary that says something.
  if (store === undefined || treeId === undefined || record.summary === omittedSummary) return;
  const startedAt = clockMs();
  const persist = async (): Promise<void> => {
    const { level, ...sizes } = record.metrics;
    const hierarchical = made.hierarchical && cleanTree(made.hierarchical, redact);
    const result = { level, summary: recordText(record), hierarchical, ...sizes };
    const nodeIds = treeRecords(treeId, result, '').map(({ node }) => node.id);
    await store.persist(treeId, result);
    if (await made.isErased()) return store.delete(treeId);
    const durationMs = clockMs() - startedAt;
    made.emit({ type: 'persisted', treeId, nodeIds, level, durationMs });
  };
  const keeping = treeTurns(store)(treeId, async () =>
    withDeadline(undefined, treeTimeoutMs, persist),
  ).catch((error: unknown) => {
    const reason = 'the summary tree store failed';
    made.emit({ type: 'failed', stage: 'persist', reason, error });
  });
  await withDeadline(undefined, waitMs, () => keeping).catch(() => {});
}

function cleanTree(tree: HierarchicalSummary, redact: Redact | undefined): HierarchicalSummary {
  const clean = redactionDoor(redact);
  const cleanAll = (summaries: readonly ChunkSummary[]): readonly ChunkSummary[] =>
    summaries.map((summary) => ({ ...summary, content: clean(summary.content) }));
  return {
    ...tree,
    l1Summaries: cleanAll(tree.l1Summaries),
    l2Summaries: cleanAll(tree.l2Summaries),
    l3Summary: clean(tree.l3Summary),
  };
}
