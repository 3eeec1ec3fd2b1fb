import {
  type Redact,
  type RedactionDoor,
  redactFailure,
  redactionDoor,
  withheldText,
} from '../../cleaning/redaction-door.ts';
import { visibleText } from '../../cleaning/visible-text.ts';
import { dearestId, omittedSummary, renderSummary } from '../../composing/render-summary.ts';
import { SummarizationError, withDetails } from '../../errors/summarization-error.ts';
import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import type { TriggerReason } from '../../planning/decide.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { buildRecord } from '../../record/build-record.ts';
import type { SummaryContent, SummaryRecord } from '../../record/summary-record.ts';
import type { TokenMeasure } from '../../sizing/token-measure.ts';
import type {
  SummaryInput,
  SummaryOutput,
  SummaryStrategy,
} from '../../strategies/summary-strategy.ts';
import { type StrategyRequest, detailsOf, nextDepth, strategyInput } from './strategy-input.ts';
import { clockMs } from '../../util/clock-ms.ts';
import { leastSummaryTokens, writeContent } from './write-content.ts';

/** A summary to be written. */
export interface RecordRequest extends StrategyRequest {
  readonly identity: Pick<ConversationIdentity, 'prefixDigest'>;
  /** Of its first messages: see `SummaryRecord`. */
  readonly openingDigests?: readonly string[] | undefined;
  /** Messages that identify the conversation, of those the record will stand for. */
  readonly count: number;
  /** @default one more than that of `previous`, or 0 without one or at `maxSummaryChainDepth` */
  readonly depth?: number | undefined;
  readonly measure: Pick<TokenMeasure, 'count' | 'message' | 'messages' | 'multiplier'>;
  /**
   * All that the record will stand for, from the first message on: read again where `previous` is only second best.
   * @default the client does not send it
   */
  readonly history?: readonly Message[] | undefined;
  /** Why a summary is wanted. */
  readonly reason: TriggerReason;
  /**
   * Tokens that it may take so that it is of use.
   * @default all that the policy allows
   */
  readonly freed?: (() => Promise<number>) | undefined;
  /** Rejects a summary that is of no use: the strategy has then failed. */
  readonly check?: ((written: WrittenRecord) => Promise<void>) | undefined;
  /**
   * Whether the fallback is to write when the strategy has failed so.
   * @default it is
   */
  readonly fallsBack?: ((failure: SummarizationError) => boolean) | undefined;
  /** Ends the turn of the strategy, and is why: its fallback writes. */
  readonly giveUp?: AbortSignal | undefined;
}

/** Characters of a version of prompts that a record holds. */
const maxVersionCharacters = 200;

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
      if (next === undefined || request.fallsBack?.(failure) === false) break;
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

async function writeWith(
  request: RecordRequest,
  strategy: SummaryStrategy,
  turn: {
    readonly degraded: boolean;
    readonly clean: RedactionDoor;
    readonly details: SummaryContent['details'];
  },
): Promise<WrittenRecord> {
  const { reason } = request;
  const read = strategy.name === 'llm' && !turn.degraded ? readAnew(request) : request;
  const depth = request.depth ?? nextDepth(request);
  const startedAt = clockMs();
  const { name } = strategy;
  request.emit({ type: 'start', reason, strategy: name, depth, messages: read.messages.length });
  const carried = turn.details === undefined ? {} : { details: turn.details };
  const countRendered = renderedTokens(request, { ...carried, depth });
  const input = await readableInput(read, name, turn.clean);
  const giveUp = turn.degraded ? undefined : request.giveUp;
  const { maxSummaryTokens } = request.policy;
  const output = await writeContent(strategy, input, countRendered, maxSummaryTokens, giveUp);
  const { context } = output.content;
  const raw = context.raw ?? input.previous?.context.raw;
  const content = { ...output.content, ...carried, context: { ...context, raw } };
  const isOmitted = content.summary === omittedSummary;
  const frame = {
    ...(await coveredBy(request, read)),
    depth,
    strategy: visibleText(name),
    promptVersion: isOmitted ? undefined : versionOf(output, turn.clean),
    degraded: turn.degraded || isOmitted,
  };
  const record = buildRecord(frame, content, await countRendered(content));
  const durationMs = clockMs() - startedAt;
  const { usage, hierarchical } = output;
  const result = { record, usage, hierarchical, strategy: name, durationMs };
  await request.check?.(result);
  tellOfRulesLeftOut(request, record);
  return result;
}

/**
 * The package's own model does not build upon a second best: what that stands for is read anew, where it is sent. What a
 * strategy of the caller's keeps for itself would be lost by it.
 */
function readAnew(request: RecordRequest): RecordRequest {
  const { previous, history } = request;
  if (previous?.degraded !== true || history === undefined) return request;
  return { ...request, previous: undefined, messages: history };
}

/** What a strategy is given, tool outputs as facts where a model is to read them so. */
async function readableInput(
  request: RecordRequest,
  strategy: string,
  clean: RedactionDoor,
): Promise<SummaryInput> {
  const given = strategyInput(request, strategy, clean);
  const freed = (await request.freed?.()) ?? Infinity;
  const maxSummaryTokens = Math.min(given.maxSummaryTokens, Math.max(freed, leastSummaryTokens));
  const input = { ...given, maxSummaryTokens, ...request.writers.asked };
  const transcript = await request.writers.factsOf?.(input.messages);
  return transcript === undefined ? input : { ...input, transcript };
}

/** What a record says of the messages that it stands for. */
async function coveredBy(
  { identity, key, openingDigests, count, previous, measure, abortSignal }: RecordRequest,
  { previous: continued, messages }: Pick<RecordRequest, 'previous' | 'messages'>,
) {
  await measure.count(messages, abortSignal);
  return {
    key,
    openingDigests,
    parent: previous,
    coveredMessages: count,
    prefixDigest: await identity.prefixDigest(count),
    inputTokens: measure.messages(messages) + (continued?.metrics.outputTokens ?? 0),
  };
}

function versionOf({ promptVersion }: SummaryOutput, clean: RedactionDoor): string | undefined {
  return promptVersion === undefined
    ? undefined
    : clean(promptVersion).slice(0, maxVersionCharacters);
}

/** Counts a content as it will stand in a prompt. */
function renderedTokens(
  { measure, abortSignal }: Pick<RecordRequest, 'measure' | 'abortSignal'>,
  around: { readonly depth: number; readonly details?: SummaryContent['details'] },
): (content: SummaryContent) => Promise<number> {
  return async (content) => {
    const text = renderSummary({ ...content, ...around, id: dearestId });
    const message = { role: 'system', content: text } as const;
    await measure.count([message], abortSignal);
    return measure.message(message);
  };
}

/** Tells where the prompt has no room for more rules of the user than before. */
function tellOfRulesLeftOut(
  { previous, emit }: Pick<RecordRequest, 'previous' | 'emit'>,
  { context: { unshownConstraints = [], constraints } }: SummaryRecord,
): void {
  const leftOut = unshownConstraints.length;
  if (leftOut > (previous?.context.unshownConstraints ?? []).length)
    emit({ type: 'constraints-left-out', leftOut, constraints: constraints.length });
}

/**
 * Whatever a strategy threw, as the error the package speaks of. Where texts are redacted, so is what
 * it says: strategies may quote what they were given.
 */
export function asSummarizationError(
  error: unknown,
  strategy: string,
  redact: Redact | undefined,
): SummarizationError {
  const known = SummarizationError.isInstance(error)
    ? error
    : new SummarizationError({
        reason: 'strategy',
        message: `The strategy ${strategy} threw.`,
        retryable: true,
        cause: error,
      });
  if (redact === undefined || known.reason === 'redact') return known;
  const clean = redactionDoor(redact);
  const message = clean(known.message);
  return withDetails(known, {
    message: message === withheldText ? `The strategy ${strategy} failed.` : message,
    cause: cleanCause(known.cause, clean),
  });
}

/** Name and message of what was thrown; its stack and its other fields may quote the texts as well. */
function cleanCause(cause: unknown, clean: RedactionDoor): unknown {
  if (typeof cause === 'string') return clean(cause);
  if (!(cause instanceof Error)) return undefined;
  const textOf = (field: unknown): string => (typeof field === 'string' ? clean(field) : '');
  const error = new Error(textOf(cause.message));
  error.name = textOf(cause.name);
  return error;
}
