import type {
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { Composition } from '../../planning/composing/compose-prompt.ts';
import type { Policy } from '../../planning/plan/plan.ts';
import { providerOptionsKey } from '../../prompt/messages/own-options.ts';
import { readUsage } from '../../planning/sizing/usage.ts';
import type { EventFields, EventSize } from './events.ts';
import type { CallReporter } from './reporter.ts';

type Applied = EventFields['applied'];

/**
 * Contents of `providerMetadata.summarization` in the result of a call and in its `finish` part: fields of the event
 * `applied`, if a record is in the prompt. Without one `coveredMessages` is 0. `tokens` are as the provider reported
 * them, else as they were counted or, far from the limit, estimated.
 */
export interface SummarizationMetadata
  extends
    Partial<Pick<Applied, 'depth' | 'recordId' | 'degraded'>>,
    Pick<Applied, 'coveredMessages' | 'tokens'> {
  /**
   * Tokens that the prompt may have, the full length of a meter: the smaller of the model's input limit and of its context
   * length less the room for the answer. A summary is due at `triggerTokenRatio` of it.
   */
  readonly contextLength: number;
  /**
   * Costs of the summaries that were made for this call before it was sent: calls of summarizing models, failed ones
   * included, and the tokens billed. Absent where none was called.
   */
  readonly summarizer?: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

/** A request that is sent, with the record that stands in it. */
export interface ReportedRequest {
  readonly policy: Pick<Policy, 'contextLength' | 'limit'>;
  readonly composition: Composition | undefined;
  /** Tokens of the prompt that is sent. */
  readonly tokens: number;
}

/** Says which record stands in a prompt that is sent: as an event, and for the metadata of the answer. */
export function reportCall(
  {
    emit,
    bill,
  }: Pick<CallReporter, 'emit'> & {
    /** Costs of summaries. */
    readonly bill: NonNullable<SummarizationMetadata['summarizer']>;
  },
  request: ReportedRequest,
): SummarizationMetadata {
  const { policy, composition, tokens } = request;
  const { limit: contextLength } = policy;
  const cost = bill.calls === 0 ? {} : { summarizer: { ...bill } };
  if (composition === undefined) return { coveredMessages: 0, tokens, contextLength, ...cost };
  const { record, cut: coveredMessages } = composition;
  const { id: recordId, depth, degraded } = record;
  const applied = { recordId, depth, degraded, coveredMessages };
  emit({ type: 'applied', record, ...applied, ...eventSize(request) });
  return { ...applied, tokens, contextLength, ...cost };
}

/** The sizes that events give of a prompt. */
export function eventSize({
  policy,
  tokens,
}: Pick<ReportedRequest, 'policy' | 'tokens'>): EventSize {
  return { tokens, contextLength: policy.contextLength, ratio: tokens / policy.limit };
}

type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** Adds what happened to a call to the metadata of its answer, as `providerMetadata.summarization`. */
export function withCallMetadata<
  T extends Pick<FinishPart, 'usage'> & {
    readonly providerMetadata?: FinishPart['providerMetadata'];
  },
>(answer: T, report: SummarizationMetadata): T & { providerMetadata: SharedV4ProviderMetadata } {
  const tokens = readUsage(answer.usage)?.inputTokens ?? report.tokens;
  return {
    ...answer,
    providerMetadata: { ...answer.providerMetadata, [providerOptionsKey]: { ...report, tokens } },
  };
}

/** Characters that a part of a stream, or of a whole answer, adds to the answer. */
export function charactersOf(part: LanguageModelV4StreamPart | LanguageModelV4Content): number {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return lengthOf(part.delta);
    case 'text':
    case 'reasoning':
      return lengthOf(part.text);
    case 'tool-call':
      return lengthOf(part.toolName) + lengthOf(part.input);
    default:
      return 0;
  }
}

/** A provider without types may leave a text out. */
function lengthOf(text: unknown): number {
  return typeof text === 'string' ? text.length : 0;
}
