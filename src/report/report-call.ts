import type { Composition } from '../composing/compose-prompt.ts';
import type { FittingPolicy } from '../fitting/fit-prompt.ts';
import type { Message, ModelIdentity, SplitPrompt } from '../prompt/prompt-types.ts';
import type { CallReporter } from './call-reporter.ts';
import type { EventSize } from './event-call.ts';
import type { EventSink } from './event-sink.ts';

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
  /**
   * What the summaries took that were made for this call before it was sent: calls of summarising models, failed ones
   * included, and the tokens they billed. Absent where none was called.
   */
  readonly summarizer?: {
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
}

/** A call that is sent, with the record that stands in it. */
export interface ReportedCall extends Pick<CallReporter, 'emit'> {
  readonly sink: Pick<EventSink, 'logOnce'>;
  readonly model: ModelIdentity;
  /** The prompt as it was given. */
  readonly view: SplitPrompt;
  readonly policy: Pick<FittingPolicy, 'contextLength' | 'limit'>;
  readonly composition: Composition | undefined;
  /** Tokens of the prompt that is sent. */
  readonly tokens: number;
  /** What summaries have taken. */
  readonly bill: NonNullable<SummarizationMetadata['summarizer']>;
}

/** Says which record stands in a prompt that is sent: as an event, and for the metadata of the answer. */
export function reportCall(call: ReportedCall): SummarizationMetadata {
  const { policy, composition, tokens, bill } = call;
  const cost = bill.calls === 0 ? {} : { summarizer: { ...bill } };
  const { contextLength } = policy;
  const coveredMessages = composition?.cut ?? 0;
  if (composition === undefined) return { coveredMessages, tokens, contextLength, ...cost };
  const { record } = composition;
  const { id: recordId, depth, degraded } = record;
  tellOfOnlySystemMessage(call, composition);
  const applied = { record, recordId, depth, degraded, coveredMessages };
  call.emit({ type: 'applied', ...applied, ...eventSize(call) });
  return { depth, recordId, degraded, coveredMessages, tokens, contextLength, ...cost };
}

/**
 * Tells `debug` where the summary is the only system message of a prompt: what adds default instructions behind the
 * middleware does so only where there is none. Without any, which cannot be seen from here, nothing is wrong.
 */
function tellOfOnlySystemMessage(
  { sink, model, view }: ReportedCall,
  { prompt }: Composition,
): void {
  const wasThereOne = view.systems.length > 0 || hasSystemMessage(view.conversation);
  if (wasThereOne || !hasSystemMessage(prompt)) return;
  sink.logOnce(
    `The summary is the only system message of a prompt for ${model.provider}:${model.modelId}. ` +
      'Default instructions that are added after summarizationMiddleware, or by the model itself, are left out ' +
      'where there is a system message. If there are any, put defaultInstructionsMiddleware before ' +
      "summarizationMiddleware in the list of middlewares, or set placement: 'user'.",
  );
}

function hasSystemMessage(prompt: readonly Message[]): boolean {
  return prompt.some(({ role }) => role === 'system');
}

/** The sizes that events give of a prompt. */
export function eventSize({ policy, tokens }: Pick<ReportedCall, 'policy' | 'tokens'>): EventSize {
  return { tokens, contextLength: policy.contextLength, ratio: tokens / policy.limit };
}
