import { omittedSummary, renderSummary } from '../../composing/render-summary.ts';
import { cleanRecord } from '../../cleaning/clean-content.ts';
import { redactFailure, redactionDoor, type RedactionDoor } from '../../cleaning/redaction-door.ts';
import { visibleText } from '../../cleaning/visible-text.ts';
import { SummarizationError } from '../../errors/summarization-error.ts';
import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { TriggerReason } from '../../planning/decide.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { withoutRecalled } from '../../prompt/recalled-output.ts';
import { buildRecord, recordIdOf } from '../../record/build-record.ts';
import type { SummaryContent, SummaryRecord } from '../../record/summary-record.ts';
import type { CallReporter } from '../../report/call-reporter.ts';
import type { TokenMeasure } from '../../sizing/token-measure.ts';
import type {
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../../strategies/summary-strategy.ts';
import type { RecordPolicy } from './record-policy.ts';
import type { RecordWriters } from './record-writers.ts';
import { asSummarizationError } from './as-summarization-error.ts';
import { detailsOf } from './details-of.ts';
import { writeContent } from './write-content.ts';

/** A summary to be written. */
export interface RecordRequest {
  readonly writers: RecordWriters;
  readonly identity: Pick<ConversationIdentity, 'messageDigests' | 'prefixDigest'>;
  /** Store key of the record. */
  readonly key: string;
  /** Messages that identify the conversation, of those the record will stand for. */
  readonly count: number;
  /** The record that is continued. */
  readonly previous: SummaryRecord | undefined;
  /** The messages that `previous` does not stand for. */
  readonly messages: readonly Message[];
  /** @default one more than that of `previous`, or 0 without one or at `maxSummaryChainDepth` */
  readonly depth?: number | undefined;
  readonly policy: RecordPolicy;
  readonly measure: Pick<TokenMeasure, 'count' | 'message' | 'messages' | 'multiplier'>;
  /** Why a summary is wanted. */
  readonly reason: TriggerReason;
  /** What it should look to. */
  readonly instructions?: string | undefined;
  readonly emit: CallReporter['emit'];
  /** Rejects a summary that is of no use: the strategy has then failed. */
  readonly check?: ((written: WrittenRecord) => Promise<void>) | undefined;
  /**
   * Whether the fallback is to write when the strategy has failed.
   * @default it is
   */
  readonly fallsBack?: (() => boolean) | undefined;
  /** Ends the turn of the strategy, and is why: its fallback writes. */
  readonly giveUp?: AbortSignal | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

/** A record and what it cost. */
export interface WrittenRecord extends Pick<SummaryOutput, 'usage' | 'hierarchical'> {
  readonly record: SummaryRecord;
  /** Name of the strategy, as it gives it. */
  readonly strategy: string;
  readonly durationMs: number;
}

/**
 * Writes a summary: lets the strategy write, or its fallback where that fails, and adds what code computes.
 * The one way to a record that a strategy writes, whoever wants it.
 *
 * @throws {SummarizationError} when neither wrote a usable summary; the signal's reason when it aborts.
 */
export async function writeRecord(request: RecordRequest): Promise<WrittenRecord> {
  const { writers, emit, abortSignal } = request;
  const { redact } = writers.options;
  const clean = redactionDoor(redact, redactFaultReporter(emit));
  const strategies = [writers.strategy, writers.fallbackStrategy].filter(
    (strategy) => strategy !== undefined,
  );
  const details = detailsOf(request, clean);
  let failure = new SummarizationError({ reason: 'strategy', message: "The strategy is 'none'." });
  for (const [index, strategy] of strategies.entries()) {
    try {
      return await writeWith(request, strategy, { degraded: index > 0, clean, details });
    } catch (cause) {
      abortSignal?.throwIfAborted();
      failure = asSummarizationError(cause, strategy.name, redact);
      const { reason, usage } = failure;
      emit({ type: 'failed', stage: 'summarize', reason, usage, error: failure });
      const next = strategies[index + 1];
      if (next === undefined || request.fallsBack?.() === false) break;
      emit({ type: 'fallback', from: strategy.name, to: next.name, reason });
    }
  }
  throw failure;
}

/** Reports once for a summary, however many of its texts are concerned. */
function redactFaultReporter(emit: RecordRequest['emit']): () => void {
  let isReported = false;
  return () => {
    const reason = 'redact failed, and texts were left out of a summary';
    if (!isReported) emit({ type: 'failed', stage: 'redact', reason, error: redactFailure() });
    isReported = true;
  };
}

// oxlint-disable-next-line max-lines-per-function -- the parts of one record, each from those before
async function writeWith(
  request: RecordRequest,
  strategy: SummaryStrategy,
  turn: {
    readonly degraded: boolean;
    readonly clean: RedactionDoor;
    readonly details: SummaryContent['details'];
  },
): Promise<WrittenRecord> {
  const { identity, key, count, previous, messages, measure, reason, abortSignal } = request;
  const depth = request.depth ?? nextDepth(request);
  const startedAt = performance.now();
  const { name } = strategy;
  request.emit({ type: 'start', reason, strategy: name, depth, messages: messages.length });
  const carried = turn.details === undefined ? {} : { details: turn.details };
  const countRendered = async (content: SummaryContent): Promise<number> => {
    const text = renderSummary({ ...content, ...carried, id: recordIdOf(key), depth });
    const message = { role: 'system', content: text } as const;
    await measure.count([message], abortSignal);
    return measure.message(message);
  };
  const {
    content: written,
    usage,
    hierarchical,
  } = await writeContent(
    strategy,
    inputOf(request, name, turn.clean),
    countRendered,
    turn.degraded ? undefined : request.giveUp,
  );
  const content = { ...written, ...carried };
  await measure.count(messages, abortSignal);
  const frame = {
    key,
    depth,
    parent: previous,
    coveredMessages: count,
    messageIds: await identity.messageDigests(previous?.coveredMessages ?? 0, count),
    prefixDigest: await identity.prefixDigest(count),
    strategy: visibleText(name),
    degraded: turn.degraded || content.summary === omittedSummary,
    inputTokens: measure.messages(messages) + (previous?.metrics.outputTokens ?? 0),
  };
  const record = buildRecord(frame, content, await countRendered(content));
  const durationMs = performance.now() - startedAt;
  const result = { record, usage, hierarchical, strategy: name, durationMs };
  await request.check?.(result);
  const { unshownConstraints = [], constraints } = record.context;
  if (unshownConstraints.length > (previous?.context.unshownConstraints ?? []).length)
    request.emit({
      type: 'constraints-left-out',
      leftOut: unshownConstraints.length,
      constraints: constraints.length,
    });
  return result;
}

/** 0 for a narrative that is written from no other: at the depth cap, it is not. */
function nextDepth({ previous, policy }: RecordRequest): number {
  return previous === undefined || previous.depth >= policy.maxSummaryChainDepth
    ? 0
    : previous.depth + 1;
}

/** Characters of instructions that a strategy is given. */
const maxInstructionCharacters = 2000;

/** What a strategy is given; nothing of the options but what it needs. */
function inputOf(request: RecordRequest, strategy: string, clean: RedactionDoor): SummaryInput {
  const { writers, previous, messages, instructions, policy, emit, abortSignal } = request;
  const { model, declaredContextLength, onAttempt, onRest, log } = writers;
  const { maxTranscriptTokens, namespace, telemetry, summaryTimeoutMs, maxWaitMs } =
    writers.options;
  return {
    messages: messages.map(withoutRecalled),
    // It may have been written, or handed over, without this `redact`.
    previous: previous && cleanRecord(previous, clean),
    usePreviousNarrative: nextDepth(request) > 0,
    // Cut behind the door: half a secret is not recognised as one.
    instructions: instructions && clean(instructions).slice(0, maxInstructionCharacters),
    model,
    maxSummaryTokens: policy.maxSummaryTokens,
    contextLength: policy.contextLengthKnown ? policy.contextLength : undefined,
    declaredContextLength,
    tokenMultiplier: request.measure.multiplier,
    maxTranscriptTokens,
    namespace,
    redact: clean,
    telemetry,
    summaryTimeoutMs,
    maxWaitMs,
    onAttempt,
    onRest,
    onProgress: (progress) => emit({ type: 'progress', strategy, ...progress }),
    log,
    abortSignal,
  };
}
