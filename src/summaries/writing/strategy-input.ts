import type { JSONValue } from 'ai';
import { cleanRecord } from '../../cleaning/clean-content.ts';
import { cleanDetails } from '../../cleaning/clean-details.ts';
import type { RedactionDoor } from '../../cleaning/redaction-door.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { withoutRecalled } from '../../prompt/recalled-output.ts';
import { recordIdOf } from '../../record/build-record.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import type { CallReporter } from '../../report/call-reporter.ts';
import type { TokenMeasure } from '../../sizing/token-measure.ts';
import type { SummaryInput, SummaryStrategy } from '../../strategies/summary-strategy.ts';
import type { RecordPolicy, SummaryOptions } from './summary-options.ts';
import { harmlessly } from '../../util/async/harmlessly.ts';

/** What of a summary to be written a strategy is told. */
export interface StrategyRequest {
  /** Store key of the record. */
  readonly key: string;
  readonly writers: RecordWriters;
  /** The record that is continued. */
  readonly previous: SummaryRecord | undefined;
  /** The messages that `previous` does not stand for. */
  readonly messages: readonly Message[];
  /** What it should look to. */
  readonly instructions?: string | undefined;
  readonly policy: RecordPolicy;
  readonly measure: Pick<TokenMeasure, 'multiplier'>;
  readonly emit: CallReporter['emit'];
  readonly abortSignal?: AbortSignal | undefined;
}

/** 0 for a narrative that is written from no other: at the depth cap, it is not. */
export function nextDepth({
  previous,
  policy,
}: Pick<StrategyRequest, 'previous' | 'policy'>): number {
  return previous === undefined || previous.depth >= policy.maxSummaryChainDepth
    ? 0
    : previous.depth + 1;
}

/** Characters of instructions that a strategy is given. */
const maxInstructionCharacters = 2000;

/** What a strategy is given; nothing of the options but what it needs. */
// oxlint-disable-next-line max-lines-per-function -- a list of fields
export function strategyInput(
  request: StrategyRequest,
  strategy: string,
  clean: RedactionDoor,
): SummaryInput {
  const { key, writers, previous, messages, instructions, policy, emit, abortSignal } = request;
  const { model, termsFor, declaredContextLength, maxCalls, log } = writers;
  const { onAttempt, onRest, onAlive, options } = writers;
  const { maxTranscriptTokens, priority, namespace, telemetry } = options;
  const { summaryTimeoutMs, maxWaitMs, streamSummary } = options;
  const onPartial = (narrative: string): void =>
    emit({ type: 'partial', strategy, summary: clean(narrative) });
  return {
    messages: messages.map(withoutRecalled),
    // It may have been written, or handed over, without this `redact`.
    previous: previous && cleanRecord(previous, clean),
    usePreviousNarrative: nextDepth(request) > 0,
    // Cut behind the door: half a secret is not recognised as one.
    instructions: instructions && clean(instructions).slice(0, maxInstructionCharacters),
    priority,
    model,
    termsFor,
    recordId: recordIdOf(key),
    maxSummaryTokens: policy.maxSummaryTokens,
    contextLength: policy.contextLengthKnown ? policy.contextLength : undefined,
    declaredContextLength,
    tokenMultiplier: request.measure.multiplier,
    maxTranscriptTokens,
    maxCalls,
    namespace,
    redact: clean,
    telemetry,
    summaryTimeoutMs,
    maxWaitMs,
    onAttempt,
    onRest,
    onAlive,
    onPartial: streamSummary === true ? onPartial : undefined,
    onProgress: (progress) => emit({ type: 'progress', strategy, ...progress }),
    log,
    abortSignal,
  };
}

/** Who writes summaries, and what all of them are given. */
export interface RecordWriters extends Pick<
  SummaryInput,
  | 'model'
  | 'termsFor'
  | 'declaredContextLength'
  | 'maxCalls'
  | 'onAttempt'
  | 'onRest'
  | 'onAlive'
  | 'log'
> {
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  /** Writes when `strategy` fails. */
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** The call at whose end the model is asked, and messages of it that stay, where that is wanted. */
  readonly asked?: Pick<SummaryInput, 'conversation' | 'recentMessages'> | undefined;
  /** Says what tools answered in a line of facts each: what a model reads where cost decides. */
  readonly factsOf?: ((messages: readonly Message[]) => Promise<readonly Message[]>) | undefined;
  readonly options: Pick<
    SummaryInput,
    | 'maxTranscriptTokens'
    | 'priority'
    | 'namespace'
    | 'redact'
    | 'telemetry'
    | 'summaryTimeoutMs'
    | 'maxWaitMs'
  > &
    Pick<SummaryOptions, 'details' | 'streamSummary'>;
}

/** Characters of details for each token of a summary's budget. */
const charactersPerToken = 2;

/**
 * What the application wants a record to carry. Where it fails to say, what the record before carried stays; without the option
 * that is carried on.
 */
export function detailsOf(
  {
    writers,
    previous,
    messages,
    policy,
    emit,
  }: Pick<StrategyRequest, 'writers' | 'previous' | 'messages' | 'policy' | 'emit'>,
  clean: RedactionDoor,
): JSONValue | undefined {
  const most = policy.maxSummaryTokens * charactersPerToken;
  const earlier =
    previous?.details === undefined ? undefined : cleanDetails(previous.details, clean, most);
  const { details } = writers.options;
  if (details === undefined) return earlier;
  const failed = (reason: string, error: unknown): JSONValue | undefined => {
    emit({ type: 'failed', stage: 'details', reason, error });
    return earlier;
  };
  try {
    const given: unknown = details(messages, earlier);
    if (given === undefined) return undefined;
    const isPromise = given instanceof Promise;
    const cleaned = isPromise ? undefined : cleanDetails(given, clean, most);
    if (cleaned !== undefined) return cleaned;
    // A rejection that nobody waits for would end the process.
    if (isPromise) harmlessly(() => given);
    const allowed = `JSON of at most ${Math.min(most, 8000)} characters and 32 levels, at once`;
    return failed(
      'details did not return what it may',
      new TypeError(`details returns ${allowed}.`),
    );
  } catch (error) {
    return failed('details threw', error);
  }
}
