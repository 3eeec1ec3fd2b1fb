import type { CallOptions } from '../prompt/prompt-types.ts';
import type { EventSize } from './summarization-event.ts';
import type { CallContext } from '../call/call-context.ts';
import type { Composition } from '../composing/compose-prompt.ts';
import type { CallInspection } from '../call/read-call.ts';
import { warnOfOnlySystemMessage } from './warn-of-only-system-message.ts';

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

/** A call as it went out: what is needed when the provider answers, or refuses. */
export interface SentCall {
  readonly context: CallContext;
  readonly inspection: CallInspection;
  /** The record that stands in the prompt. */
  readonly composition: Composition | undefined;
  readonly report: SummarizationMetadata;
  /** The prompt that was counted, and what it came to under o200k, if that is known. */
  readonly counted: {
    readonly prompt: CallOptions['prompt'];
    readonly tokens: number | undefined;
  };
}

/** Says which record stands in a prompt that is sent: as an event, and for the metadata of the answer. */
export function reportCall(
  context: CallContext,
  inspection: Pick<CallInspection, 'policy' | 'params'>,
  composition: Composition | undefined,
  tokens: number,
): SummarizationMetadata {
  const { contextLength } = inspection.policy;
  const coveredMessages = composition?.cut ?? 0;
  if (composition === undefined) return { coveredMessages, tokens, contextLength };
  const { id: recordId, depth, degraded } = composition.record;
  const size = sizeOf(inspection, tokens);
  warnOfOnlySystemMessage(context, inspection, composition);
  context.emitForCall({ type: 'applied', recordId, depth, degraded, coveredMessages, ...size });
  return { depth, recordId, degraded, coveredMessages, tokens, contextLength };
}

/** The sizes that events give of a prompt. */
export function sizeOf({ policy }: Pick<CallInspection, 'policy'>, tokens: number): EventSize {
  return { tokens, contextLength: policy.contextLength, ratio: tokens / policy.limit };
}
