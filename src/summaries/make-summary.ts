import { redactionDoor } from '../cleaning/redaction-door.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import { randomId } from '../util/digest.ts';
import { type TriggerPolicy, ratioIfUndone } from '../planning/decide.ts';
import type { Joins, RangePolicy, SummaryRange } from '../planning/plan.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { CallReporter, EventBody } from '../report/call-reporter.ts';
import { watchSummarizers } from '../report/watch-summarizers.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import { dead, type Course, type Patience } from '../state/flight.ts';
import { claimSummary, saveSummary, type Claim } from '../state/keep-summary.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { runInSpan } from '../telemetry/run-in-span.ts';
import { delay, withSignals } from '../util/async/waiting.ts';
import { clockMs } from '../util/clock-ms.ts';
import { isPassing, type FailureMemory } from './failure-memory.ts';
import { keepTree, treeIdOf, type TreePlace } from './keep-tree.ts';
import { noteWindow, type WindowPlace } from './sliding-window.ts';
import {
  writeRecord,
  type RecordPlace,
  type RecordRequest,
  type WrittenRecord,
} from './write-record.ts';

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
  readonly place: RecordPlace;
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
    const turn = await takeTurn(order, course);
    if ('record' in turn) return turn;
    try {
      const { summary, hierarchical, isOurs } = await writeAndSave(order, turn, course);
      const isErased = async (): Promise<boolean> => state.isErasedSince();
      if (isOurs) keeping = keepTree(tree, { summary, hierarchical, isErased, emit });
      return summary;
    } finally {
      void turn.end();
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

/** Milliseconds between two looks for what another process writes: they double. */
const firstPauseMs = 50;
const longestPauseMs = 1000;

/**
 * Waits until this process may write a summary, or until another one has written it: as long as that one lives, and
 * never longer than there is patience. Who cannot read does not wait for another's.
 */
async function takeTurn(
  { state, range, joins, patienceMs, abortSignal }: SummaryOrder,
  { hurry, isWanted }: Course,
): Promise<StoredSummary | Claim> {
  const endsAt = clockMs() + patienceMs;
  const turn = { token: randomId(), joins, seen: new Map<string, number>() };
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const answer = await claimSummary(state, range.count, turn);
    if (abortSignal?.aborted === true || !isWanted()) {
      if ('end' in answer) void answer.end();
      throw ended(abortSignal);
    }
    if ('record' in answer || !answer.isTaken) return answer;
    if (hurry.aborted || !state.isAnswered() || clockMs() >= endsAt) return answer;
    const restMs = Math.min(pauseMs, endsAt - clockMs());
    await withSignals([hurry, abortSignal], async (signal) => delay(restMs, signal)).catch(
      () => {},
    );
  }
}

/** Writes the summary and saves it, unless another one was first. */
async function writeAndSave(
  order: SummaryOrder,
  claim: Claim,
  course: Course,
): Promise<
  Pick<WrittenRecord, 'hierarchical'> & {
    readonly summary: StoredSummary;
    readonly isOurs: boolean;
  }
> {
  const { state, policy, tree, place, view, range, isAhead } = order;
  const key = await state.keyOf(range.count);
  // Nothing is waited for between the summary and its saving, which who comes then waits for.
  const treeId = await treeIdOf(tree, key);
  const frame = { key, openingDigests: await state.names.openings() };
  const { record, tokensAfter, hierarchical } = await inSpan(order, async (emit) =>
    write({ ...order, emit }, frame, course),
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
    ...(isAhead === true ? ({ prepared: true } as const) : {}),
  };
  if (tree.conversationId === undefined && record.parentId === undefined)
    await noteWindow(order, order);
  const summary = await saveSummary(state, made, claim);
  return { summary: summary ?? made, hierarchical, isOurs: summary === made };
}

/** Keeps the place of a message that is not to be read: items of a record name their messages by place. */
const leftOut: Message = { role: 'system', content: '' };

/** Writes the summary and tells of it; remembers that it could not be written. */
// oxlint-disable-next-line max-lines-per-function -- the steps of one summary, which share what they count
async function write(
  order: SummaryOrder,
  frame: Pick<RecordRequest, 'key' | 'openingDigests'>,
  course: Course,
): Promise<WrittenRecord> {
  const { view, range, writers, reason, place, abortSignal } = order;
  const watch = watchSummarizers(order.warn);
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
      writers: { ...writers, maxCalls, onAttempt, onRest: course.rest, onAlive: course.alive },
      giveUp: maxCalls === 0 ? AbortSignal.abort(overLimit()) : course.hurry,
      // What is made ahead of need can do without the second best, and a model that is away for a moment writes for
      // the next call: unless somebody can do nothing without.
      fallsBack: (failure) => course.isNeeded() || !(isPassing(failure) || order.isAhead === true),
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
// oxlint-disable-next-line max-lines-per-function -- one object, most of it a field a line
async function inSpan<Written>(
  { writers, reason, isAhead, place, emit }: SummaryOrder,
  work: (emit: CallReporter['emit']) => Promise<Written>,
): Promise<Written> {
  const { tracer, isEnabled } = writers.options.telemetry ?? {};
  if (tracer === undefined || isEnabled === false) return work(emit);
  const name = 'summarize_conversation';
  const attributes = {
    'gen_ai.operation.name': name,
    'summarization.reason': reason,
    'summarization.prepared': isAhead === true,
    'summarization.tokens_before': place.tokens,
  };
  return runInSpan(tracer, { name, kind: 0, attributes }, async (span) => {
    const tell = (event: EventBody): void => {
      if (event.type === 'end')
        span.set({
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
        });
      else if (event.type === 'fallback')
        span.event('summarization.fallback', { from: event.from, to: event.to });
      else if (event.type === 'failed') span.event('summarization.failed', { stage: event.stage });
      emit(event);
    };
    try {
      return await work(tell);
    } catch (error) {
      span.fail(SummarizationError.isInstance(error) ? error.reason : 'error');
      throw error;
    }
  });
}
