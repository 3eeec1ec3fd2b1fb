import type { Composition } from '../composing/compose-prompt.ts';
import type { CallReporter } from './call-reporter.ts';
import type { EventSize } from './summarization-event.ts';
import { warnOfOnlySystemMessage, type SummarisedCall } from './warn-of-only-system-message.ts';

/** What `providerMetadata.summarization` says of a call, in its result and in its `finish` part. */
export interface SummarizationMetadata {
  /** Depth of the record that stands in the prompt. */
  readonly depth?: number;
  /** Id of that record. */
  readonly recordId?: string;
  /** Whether a fallback wrote it. */
  readonly degraded?: boolean;
  /** Messages it covers; 0 without a record. */
  readonly coveredMessages: number;
  /** Input tokens, as the provider reported them, else as they were counted or, far from the limit, estimated. */
  readonly tokens: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
}

/** A call that is sent, with the record that stands in it. */
export interface ReportedCall extends SummarisedCall, Pick<CallReporter, 'emit'> {
  readonly policy: {
    /** Tokens the model accepts. */
    readonly contextLength: number;
    /** Tokens the prompt may take. */
    readonly limit: number;
  };
  readonly composition: Composition | undefined;
  /** Tokens of the prompt that is sent. */
  readonly tokens: number;
}

/** Says which record stands in a prompt that is sent: as an event, and for the metadata of the answer. */
export function reportCall(call: ReportedCall): SummarizationMetadata {
  const { policy, composition, tokens } = call;
  const { contextLength } = policy;
  const coveredMessages = composition?.cut ?? 0;
  if (composition === undefined) return { coveredMessages, tokens, contextLength };
  const { id: recordId, depth, degraded } = composition.record;
  warnOfOnlySystemMessage(call, composition);
  call.emit({ type: 'applied', recordId, depth, degraded, coveredMessages, ...sizeOf(call) });
  return { depth, recordId, degraded, coveredMessages, tokens, contextLength };
}

/** The sizes that events give of a prompt. */
export function sizeOf({ policy, tokens }: Pick<ReportedCall, 'policy' | 'tokens'>): EventSize {
  return { tokens, contextLength: policy.contextLength, ratio: tokens / policy.limit };
}
