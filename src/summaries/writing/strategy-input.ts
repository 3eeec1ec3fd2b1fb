import { cleanRecord } from '../../cleaning/clean-content.ts';
import type { RedactionDoor } from '../../cleaning/redaction-door.ts';
import type { Message } from '../../prompt/prompt-types.ts';
import { withoutRecalled } from '../../prompt/recalled-output.ts';
import { recordIdOf } from '../../record/build-record.ts';
import type { SummaryRecord } from '../../record/summary-record.ts';
import type { CallReporter } from '../../report/call-reporter.ts';
import type { TokenMeasure } from '../../sizing/token-measure.ts';
import type { SummaryInput } from '../../strategies/summary-strategy.ts';
import type { RecordPolicy } from './record-policy.ts';
import type { RecordWriters } from './record-writers.ts';

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

/** What is told while a strategy writes. */
function heard(
  { writers, emit }: Pick<StrategyRequest, 'writers' | 'emit'>,
  strategy: string,
  clean: RedactionDoor,
): Pick<SummaryInput, 'onPartial' | 'onProgress'> {
  const onPartial = (narrative: string): void =>
    emit({ type: 'partial', strategy, summary: clean(narrative) });
  return {
    onPartial: writers.options.streamSummary === true ? onPartial : undefined,
    onProgress: (progress) => emit({ type: 'progress', strategy, ...progress }),
  };
}

/** What a strategy is given; nothing of the options but what it needs. */
export function strategyInput(
  request: StrategyRequest,
  strategy: string,
  clean: RedactionDoor,
): SummaryInput {
  const { key, writers, previous, messages, instructions, policy, abortSignal } = request;
  const { model, termsFor, declaredContextLength, maxCalls, log } = writers;
  const { onAttempt, onRest, onAlive } = writers;
  const { maxTranscriptTokens, priority, namespace, telemetry, summaryTimeoutMs, maxWaitMs } =
    writers.options;
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
    ...heard(request, strategy, clean),
    log,
    abortSignal,
  };
}
