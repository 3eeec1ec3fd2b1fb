import { redactionDoor } from '../cleaning/redaction-door.ts';
import { SummarizationError } from '../errors/summarization-error.ts';
import type { TriggerPolicy } from '../planning/decide.ts';
import type { Joins, RangePolicy, SummaryRange } from '../planning/plan.ts';
import { ratioIfUndone } from '../planning/ratio-if-undone.ts';
import type { Message } from '../prompt/prompt-types.ts';
import type { StoredSummary } from '../record/stored-summary.ts';
import type { CallReporter } from '../report/call-reporter.ts';
import { watchSummarizers } from '../report/watch-summarizers.ts';
import type { ConversationView } from '../selection/conversation-view.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { isPassing, type FailureMemory } from './failure-memory.ts';
import { withSignals } from '../util/async/with-signals.ts';
import { inSummarySpan } from './in-summary-span.ts';
import { strategyTurn } from './give-up-signal.ts';
import { keepTree, treeIdOf, type TreePlace } from './keep-tree.ts';
import type { Flight, Patience, SingleFlight } from './single-flight.ts';
import type { ConversationState } from '../state/conversation-state.ts';
import type { SlidingWindowWatch } from './sliding-window-watch.ts';
import type { SpendingBound } from './spending.ts';
import { smallerTokens, type PromptToShorten } from './smaller-tokens.ts';
import { takeTurn, type TurnRequest } from './take-turn.ts';
import { watchForWindows } from './watch-for-windows.ts';
import { writeRecord, type RecordRequest, type WrittenRecord } from './writing/write-record.ts';

/** A summary to be made for a call. */
export interface SummaryOrder
  extends
    PromptToShorten,
    Pick<
      RecordRequest,
      'writers' | 'previous' | 'reason' | 'instructions' | 'emit' | 'abortSignal'
    > {
  readonly view: Pick<ConversationView, 'conversation' | 'identity'>;
  /** Messages that stay, and that no record of this conversation tells of. */
  readonly handedOn?: ReadonlySet<Message> | undefined;
  /** What the record will stand for. */
  readonly range: SummaryRange;
  readonly policy: RecordRequest['policy'] & Pick<RangePolicy, 'limit'> & TriggerPolicy;
  readonly measure: RecordRequest['measure'] & PromptToShorten['measure'];
  readonly warn: CallReporter['warn'];
  readonly state: Pick<
    ConversationState,
    'keyOf' | 'read' | 'save' | 'isKept' | 'isErasedSince' | 'claim' | 'isAnswered'
  >;
  readonly flights: SingleFlight<StoredSummary>;
  readonly failures: Pick<FailureMemory, 'remember'>;
  readonly tree: TreePlace;
  readonly windows: SlidingWindowWatch;
  /** Whether it is made before it is due, and is to stand in no prompt before. */
  readonly isAhead?: boolean | undefined;
  readonly joins: Joins;
  /** How long the call waits. */
  readonly patience: Patience;
  /** Given what is to be kept alive when the call has gone on; it never rejects. */
  readonly keepAlive?: ((work: Promise<void>) => void) | undefined;
  /** Bounds what the namespace may spend; `undefined` without a bound. */
  readonly spending?: SpendingBound | undefined;
  /** How processes that share a store take turns. */
  readonly turn: Pick<TurnRequest, 'store' | 'patienceMs'>;
}

/** A summary of other messages of the conversation is being written. */
export interface BegunSummary {
  /** How many messages it stands for. */
  readonly begun: number;
}

/**
 * Writes, checks and stores the summary of a range. Everybody who asks for the same one at the same time
 * shares one summary, which is finished whoever leaves unless `abortSignal` ends it; processes that share a
 * store take turns.
 *
 * @returns `undefined` when the call was not to wait for it any longer.
 * @throws {SummarizationError} when neither the strategy nor its fallback wrote a usable summary.
 */
// oxlint-disable-next-line max-lines-per-function -- the steps of one flight, which share its order
export async function makeSummary(
  order: SummaryOrder,
): Promise<StoredSummary | BegunSummary | undefined> {
  const { state, range, flights, policy, tree, emit, writers } = order;
  const { identity, conversation } = order.view;
  const key = await state.keyOf(range.count);
  let keeping: Promise<void> | undefined;
  const claimed = await state.claim(range.count, order.joins);
  // Another process may have paid already, and its entry in the index been lost in a race.
  const read = async (): Promise<StoredSummary | undefined> => state.read(key);
  const { isAnswered } = state;
  const work = async (flight: Flight): Promise<StoredSummary> => {
    const signals = [flight.abortSignal, order.abortSignal];
    try {
      const turn = await withSignals(signals, async (abortSignal) =>
        takeTurn({ ...order.turn, key, read, isAnswered, hurry: flight.hurry, abortSignal }),
      );
      if ('record' in turn) return turn;
      if (typeof claimed === 'object') await claimed.said;
      flight.begin();
      return await writeAndSave(flight).finally(() => void turn.release());
    } catch (error) {
      throw order.abortSignal?.aborted === true ? ended(order.abortSignal) : error;
    }
  };
  const writeAndSave = async (flight: Flight): Promise<StoredSummary> => {
    // Nothing is waited for between the summary and its saving, which who comes then waits for.
    const treeId = await treeIdOf(tree, key);
    const { record, tokensAfter, hierarchical } = await inSummarySpan(order, async (spanned) =>
      writeSummary(spanned, key, flight),
    );
    const summary = {
      record,
      lastSummarization: {
        depth: record.depth,
        messageCount: identity.significantBefore(conversation.length),
        tokenRatio: tokensAfter / policy.limit,
      },
      treeId,
      ratioIfUndone: ratioIfUndone(order.tokens, tokensAfter, policy),
      ...(order.isAhead === true ? ({ prepared: true } as const) : {}),
    };
    watchForWindows(order, key, record);
    const saved = await state.save(key, summary);
    const { redact } = writers.options;
    if (saved === summary && state.isKept())
      keeping = keepTree(tree, {
        summary,
        hierarchical,
        redact,
        isErased: async () => state.isErasedSince(key),
        emit,
      });
    return saved;
  };
  if (typeof claimed === 'number' && claimed !== range.count) return { begun: claimed };
  const onOver = typeof claimed === 'object' ? claimed.end : undefined;
  const running = flights.run(key, work, order.patience, onOver);
  order.keepAlive?.(flights.ended(key).then(() => keeping));
  const summary = await running;
  // Only who made it waits for it, and not for long.
  if (summary !== undefined) await keeping;
  return summary;
}

/** Keeps the place of a message that is not to be read: items of a record name their messages by place. */
const leftOut: Message = { role: 'system', content: '' };

/** Writes the summary and tells of it; remembers that it could not be written. */
async function writeSummary(
  order: SummaryOrder,
  key: string,
  flight: Flight,
): Promise<WrittenRecord & { readonly tokensAfter: number }> {
  const { view, range, warn, writers: given } = order;
  const watch = watchSummarizers(warn);
  const clean = redactionDoor(given.options.redact);
  const spending = spendingOf(order);
  const turn = await strategyTurn({ spending, strategy: given.strategy, hurry: flight.hurry });
  const { giveUp, maxCalls } = turn;
  const onAttempt = (attempt: SummaryAttempt): void => {
    turn.called();
    given.onAttempt?.(attempt);
    // The kind of an error is its own word, and may be one of the texts.
    watch.attempt({ ...attempt, detail: attempt.detail && clean(attempt.detail) });
  };
  const { rest: onRest, alive: onAlive } = flight;
  const writers = { ...given, maxCalls, onAttempt, onRest, onAlive };
  let tokensAfter = 0;
  const check = async (written: WrittenRecord): Promise<void> => {
    tokensAfter = await smallerTokens(order, written);
  };
  try {
    // What is made ahead of need can do without the second best, unless somebody has come to need it; and while the
    // prompts of all who wait fit, a model that is away for a moment writes for the next call.
    const fallsBack = (failure: SummarizationError): boolean =>
      isPassing(failure) ? flight.isNeeded() : order.isAhead !== true || flight.isAwaited();
    const asked = { identity: view.identity, key, count: range.count, ...textsOf(order) };
    const request = { ...order, ...asked, writers, check, giveUp, fallsBack };
    const written = await writeRecord(request);
    emitEnd(order, written, { calls: turn.calls(), tokensAfter });
    return { ...written, tokensAfter };
  } catch (error) {
    const isEnded = order.abortSignal?.aborted === true;
    if (!isEnded && SummarizationError.isInstance(error)) order.failures.remember(key, error);
    throw error;
  } finally {
    watch.warn();
  }
}

function textsOf({
  view: { identity, conversation },
  range,
  handedOn,
}: SummaryOrder): Pick<RecordRequest, 'messages' | 'history'> {
  const history = conversation
    .slice(0, range.cut)
    .map((message) => (handedOn?.has(message) === true ? leftOut : message));
  const isWhole = identity.significantBefore(0) === 0;
  return { messages: history.slice(range.start), history: isWhole ? history : undefined };
}

/** A store that did not answer is not waited for again. */
function spendingOf({ spending, state }: SummaryOrder): SpendingBound | undefined {
  return spending && !state.isAnswered() ? { ...spending, store: undefined } : spending;
}

function ended(abortSignal: AbortSignal): SummarizationError {
  const message = 'The abortSignal of the middleware ended the summary.';
  const cause: unknown = abortSignal.reason;
  return new SummarizationError({ reason: 'aborted', message, retryable: true, cause });
}

function emitEnd(
  { tokens: tokensBefore, policy, range, reason, emit }: SummaryOrder,
  { record, strategy, usage, durationMs }: WrittenRecord,
  { calls, tokensAfter }: Readonly<Record<'calls' | 'tokensAfter', number>>,
): void {
  const { depth, degraded, promptVersion } = record;
  const ratioBefore = tokensBefore / policy.limit;
  const coveredMessages = range.cut;
  const sizes = { coveredMessages, tokensBefore, tokensAfter, ratioBefore, durationMs };
  const cost = { calls, usage };
  emit({
    type: 'end',
    reason,
    strategy,
    record,
    depth,
    degraded,
    promptVersion,
    ...cost,
    ...sizes,
  });
}
