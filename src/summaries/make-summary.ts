import { redactionDoor } from '../cleaning/redaction-door.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { randomId } from '../hash/random-id.ts';
import { type TriggerPolicy, ratioIfUndone } from '../planning/decide.ts';
import type { Joins, RangePolicy, SummaryRange } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { SummaryRecord } from '../record/summary-record.ts';
import type { CallReporter, CallWarning, EventBody } from '../report/call-reporter.ts';
import { watchSummarizers } from '../report/watch-summarizers.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { Claim } from '../state/keep-summary.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { namespaceDigits } from '../stores/store-keys.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { runInSpan } from '../telemetry/run-in-span.ts';
import type { TelemetryAttributes } from '../telemetry/tracer.ts';
import { delay, withSignals } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import type { BoundedMap } from '../util/maps/bounded-map.ts';
import { isPassing, type FailureMemory } from './failure-memory.ts';
import { keepTree, treeIdOf, type TreePlace } from './keep-tree.ts';
import type { Flight, Patience, SingleFlight } from './single-flight.ts';
import { writeRecord, type RecordPlace, type RecordRequest } from './write-record.ts';

/** A summary to be made for a call. */
export interface SummaryOrder extends Pick<
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
  readonly place: RecordPlace;
  readonly warn: CallReporter['warn'];
  readonly state: Pick<
    ConversationState,
    'keyOf' | 'names' | 'begin' | 'claim' | 'save' | 'isErasedSince' | 'isAnswered'
  >;
  readonly flights: SingleFlight<StoredSummary>;
  readonly failures: Pick<FailureMemory, 'remember'>;
  readonly tree: TreePlace;
  readonly windows: WindowRows;
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
  const { state, range, flights } = order;
  const begun = await state.begin(range.count, order.joins);
  let keeping: Promise<void> | undefined;
  const work = async (flight: Flight): Promise<StoredSummary> => {
    const turn = await takeTurn(order, flight);
    if ('record' in turn) return turn;
    try {
      const saved = await writeAndSave(order, turn, flight);
      keeping = saved.keeping;
      return saved.summary;
    } finally {
      void turn.end();
    }
  };
  const running = flights.run(begun.key, work, order.patience, begun.end);
  order.keepAlive?.(flights.ended(begun.key).then(() => keeping));
  const summary = await running;
  // Only who made it waits for it, and not for long.
  if (summary !== undefined) await keeping;
  return summary;
}

/** Milliseconds between two looks for what another process writes: they double. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

/**
 * Waits until this process may write a summary, or until another one has written it: as long as that one lives, and
 * never longer than there is patience. Who cannot read does not wait for another's.
 */
async function takeTurn(
  { state, range, joins, patienceMs, abortSignal }: SummaryOrder,
  { hurry, isWanted }: Flight,
): Promise<StoredSummary | Claim> {
  const endsAt = clockMs() + patienceMs;
  const turn = { token: randomId(), joins, seen: new Map<string, number>() };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const answer = await state.claim(range.count, turn);
    if (abortSignal?.aborted === true || !isWanted()) {
      if (answer !== 'taken' && 'end' in answer) void answer.end();
      throw ended(abortSignal);
    }
    if (answer !== 'taken') return answer;
    if (hurry.aborted || !state.isAnswered() || clockMs() >= endsAt)
      return { token: turn.token, end: async () => {} };
    const restMs = Math.min(pauseMs, endsAt - clockMs());
    await withSignals([hurry, abortSignal], async (signal) => delay(restMs, signal)).catch(
      () => {},
    );
  }
}

async function writeAndSave(
  order: SummaryOrder,
  claim: Claim,
  flight: Flight,
): Promise<{ readonly summary: StoredSummary; readonly keeping?: Promise<void> }> {
  const { state, policy, tree, place, view, range } = order;
  const key = await state.keyOf(range.count);
  // Nothing is waited for between the summary and its saving, which who comes then waits for.
  const treeId = await treeIdOf(tree, key);
  const frame = { key, openingDigests: await state.names.openings() };
  const { record, tokensAfter, hierarchical } = await inSpan(order, async (emit) =>
    writeAndTell({ ...order, emit }, frame, flight),
  );
  const made = {
    record,
    from: 0,
    lastSummarization: {
      depth: record.depth,
      messageCount: view.identity.significantBefore(view.conversation.length),
      tokenRatio: tokensAfter / policy.limit,
    },
    treeId,
    ratioIfUndone: ratioIfUndone(place.tokens, tokensAfter, policy),
    ...(order.isAhead === true ? ({ prepared: true } as const) : {}),
  };
  await watchForWindows(order, key, record);
  const summary = await state.save(made, claim);
  if (summary !== made) return { summary: summary ?? made };
  const kept = {
    summary,
    hierarchical,
    isErased: async () => state.isErasedSince(),
    emit: order.emit,
  };
  return { summary, keeping: keepTree(tree, kept) };
}

/** Keeps the place of a message that is not to be read: items of a record name their messages by place. */
const leftOut: Message = { role: 'system', content: '' };

/** Writes the summary and tells of it; remembers that it could not be written. */
// oxlint-disable-next-line max-lines-per-function -- the steps of one summary, which share what they count
async function writeAndTell(
  order: SummaryOrder,
  frame: Pick<RecordRequest, 'key' | 'openingDigests'>,
  flight: Flight,
): ReturnType<typeof writeRecord> {
  const { view, range, writers: given, reason, place, abortSignal } = order;
  const watch = watchSummarizers(order.warn);
  const clean = redactionDoor(given.options.redact);
  // The rules cost nothing.
  const spend = given.strategy?.name === 'rule-based' ? undefined : order.spend;
  const maxCalls = await spend?.();
  let calls = 0;
  const onAttempt = (attempt: SummaryAttempt): void => {
    calls += 1;
    // The first one has been counted before it was made.
    if (calls > 1) void spend?.();
    given.onAttempt?.(attempt);
    // The kind of an error is its own word, and may be one of the texts.
    watch.attempt({ ...attempt, detail: attempt.detail && clean(attempt.detail) });
  };
  const history = view.conversation
    .slice(0, range.cut)
    .map((message) => (order.handedOn?.has(message) === true ? leftOut : message));
  try {
    const written = await writeRecord({
      ...order,
      ...frame,
      identity: view.identity,
      count: range.count,
      messages: history.slice(range.start),
      history: view.identity.significantBefore(0) === 0 ? history : undefined,
      writers: { ...given, maxCalls, onAttempt, onRest: flight.rest, onAlive: flight.alive },
      giveUp: maxCalls === 0 ? AbortSignal.abort(overLimit()) : flight.hurry,
      // What is made ahead of need can do without the second best, and a model that is away for a moment writes for
      // the next call: unless somebody can do nothing without.
      fallsBack: (failure) => flight.isNeeded() || !(isPassing(failure) || order.isAhead === true),
    });
    const { hierarchical: _, record, ...figures } = written;
    const { depth, degraded, promptVersion } = record;
    order.emit({
      type: 'end',
      reason,
      record,
      depth,
      degraded,
      promptVersion,
      calls,
      coveredMessages: range.cut,
      tokensBefore: place.tokens,
      ratioBefore: place.tokens / order.policy.limit,
      ...figures,
    });
    return written;
  } catch (error) {
    if (abortSignal?.aborted === true) throw ended(abortSignal);
    if (SummarizationError.isInstance(error)) order.failures.remember(frame.key, error);
    throw error;
  } finally {
    watch.warn();
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
 * Writes a summary in a span of the tracer that `telemetry` names, if it names one. The span shows what events tell of
 * the summary: figures, no texts.
 */
async function inSpan<Written>(
  { writers, reason, isAhead, place, emit }: SummaryOrder,
  write: (emit: CallReporter['emit']) => Promise<Written>,
): Promise<Written> {
  const { tracer, isEnabled } = writers.options.telemetry ?? {};
  if (tracer === undefined || isEnabled === false) return write(emit);
  const name = 'summarize_conversation';
  const attributes = {
    'gen_ai.operation.name': name,
    'summarization.reason': reason,
    'summarization.prepared': isAhead === true,
    'summarization.tokens_before': place.tokens,
  };
  return runInSpan(tracer, { name, kind: 0, attributes }, async (span) => {
    try {
      return await write((event) => {
        if (event.type === 'end') span.set(figuresOf(event));
        else if (event.type === 'fallback')
          span.event('summarization.fallback', { from: event.from, to: event.to });
        else if (event.type === 'failed')
          span.event('summarization.failed', { stage: event.stage });
        emit(event);
      });
    } catch (error) {
      span.fail(SummarizationError.isInstance(error) ? error.reason : 'error');
      throw error;
    }
  });
}

function figuresOf(event: Extract<EventBody, { type: 'end' }>): TelemetryAttributes {
  return {
    'gen_ai.conversation.compacted': true,
    'gen_ai.usage.input_tokens': event.usage.inputTokens,
    'gen_ai.usage.output_tokens': event.usage.outputTokens,
    'summarization.calls': event.calls,
    'summarization.strategy': event.strategy,
    'summarization.record_id': event.record.id,
    'summarization.depth': event.depth,
    'summarization.degraded': event.degraded,
    'summarization.covered_messages': event.coveredMessages,
    'summarization.tokens_after': event.tokensAfter,
    'summarization.duration_ms': event.durationMs,
  };
}

/** Rows of messages of summarised conversations, and whether they stood at the beginning of one. */
export type WindowRows = BoundedMap<'beginning' | 'inside'>;

/** Messages in a row that tell one conversation from another. */
const rowLength = 4;

/** Messages of a record that are watched for: a window that slides is asked about long before it has left them. */
const maxWatched = 500;

/** Tells whose client seems to send only the end of its conversations, where no id says which they are. */
async function watchForWindows(
  { tree, view, windows, warn }: SummaryOrder,
  key: string,
  { parentId, coveredMessages }: SummaryRecord,
): Promise<void> {
  if (tree.conversationId !== undefined || parentId !== undefined) return;
  const ids = await view.identity.messageDigests(0, Math.min(coveredMessages, maxWatched));
  if (isWindow(windows, key.slice(0, namespaceDigits), ids)) warn(slidingWindowWarning);
}

/**
 * Whether a conversation begins with messages that stand in a row inside one that was summarised before, and with which
 * none begins: each of its windows is summarised anew. Remembers them.
 *
 * @param scope - Conversations of different scopes do not know of each other.
 * @param ids - Digests of its messages, from the first one on.
 */
export function isWindow(rows: WindowRows, scope: string, ids: readonly string[]): boolean {
  const rowAt = (start: number): string =>
    JSON.stringify([scope, ...ids.slice(start, start + rowLength)]);
  const isKnownInside = rows.get(rowAt(0)) === 'inside';
  const last = Math.min(ids.length - rowLength, maxWatched);
  for (let start = 0; start <= last; start += 1) {
    const row = rowAt(start);
    // What one conversation begins with may stand in the middle of another one, or of itself.
    rows.set(row, start === 0 ? 'beginning' : (rows.get(row) ?? 'inside'));
  }
  return isKnownInside;
}

/** What to tell whose conversations are found to be windows. */
const slidingWindowWarning: CallWarning = {
  code: 'sliding-window',
  cause: 'history',
  message:
    'A conversation begins with messages from the middle of one that was summarised before: the client seems to ' +
    'send only the last messages of its history, so that every request may pay for a summary of its own. Pass ' +
    'providerOptions.summarization.conversationId, an id that the application has authorised, or send the whole ' +
    'history.',
};
