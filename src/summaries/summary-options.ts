import type { SummarizationTelemetry } from '../strategies/call-telemetry.ts';

/** What summaries may take, show and say. */
export interface SummaryOptions {
  /**
   * Tokens the injected summary may take; never more than a tenth of the context. A model is asked for at most
   * 2,500 of them; code fills the rest with minutes of what is summarised, its files and identifiers.
   * @default a sixteenth of the context, at least 2,000 and at most 16,000, but no more than an eighth of the tokens at
   * which a prompt is summarised; with optimizeFor 'cost' 2,500
   */
  readonly maxSummaryTokens?: number | undefined;
  /**
   * Applied to every text before it goes to a summarising model, into a store, an event, an error or the
   * debug log; invisible characters are removed before. Must be synchronous. A text for which it throws or
   * returns no string is left out, which a `failed` event says; a summary made of nothing else fails with
   * the reason `redact`. The conversation's model reads the messages as they are.
   * @default none
   */
  readonly redact?: ((text: string) => string) | undefined;
  /**
   * What calls of summarising models show to the AI SDK's telemetry: figures under the `functionId`
   * `ai-sdk-summarization`, and no texts unless they are asked for. A middleware cannot see the `telemetry`
   * of the call it works for: who disables it there disables it here too.
   * @default { isEnabled: true, recordInputs: false, recordOutputs: false }
   */
  readonly telemetry?: SummarizationTelemetry | undefined;
  /**
   * Milliseconds for which a call waits for its summary while its prompt fits: counted from the start of
   * the summary, not anew for each call or step. Then the prompt is sent as it stands; the summary goes on
   * and serves the next call, also where the call asked for it with `force`. 0: never. A summarising model whose calls are under way for longer counts as
   * failing for those after them (with 0: longer than 10,000).
   * @default 10_000, but 0 with background
   */
  readonly maxWaitMs?: number | undefined;
  /**
   * Milliseconds for which a summarising model may send nothing, and within which a call of it that failed may be made once
   * more. A call whose prompt does not fit waits for its summary so long, three times as long at most while the model is
   * seen to write. Then the fallback strategy writes, or the prompt is shortened without a summary.
   * @default 60_000
   */
  readonly summaryTimeoutMs?: number | undefined;
  /**
   * Whether summaries are written beside the answers, so that no call waits for one while its prompt fits:
   * `true` where the process lives on. Where it is frozen or ended when a response has been sent, a function
   * such as Next's `after` or the `waitUntil` of a platform: called within the request, before the model,
   * with a promise that is to be kept alive and never rejects. From `resetTokenRatio` on the next summary is
   * prepared, once the model has begun to answer; it stands in no prompt before the trigger fires, in this process or
   * in another one that shares the store, and is of no effect where the conversation went another way. What is
   * prepared the fallback strategy does not write: where models fail, they are asked again when the trigger fires. A
   * summary that is cut off harms nothing; the next call takes it up. An object with
   * `enqueue` hands summaries to a queue instead, whose worker gives each job to `prepareSummary`: nothing is left
   * to be done in the request, unless the prompt does not fit. Needs a `store` that is shared, and its `secret`.
   * @default false
   */
  readonly background?: boolean | ((work: Promise<void>) => void) | SummaryQueue | undefined;
  /**
   * Ends the summaries that are being written, those that no call waits for included: for a process that
   * shuts down. Prompts are then sent as they stand, or are shortened without a summary.
   * @default none
   */
  readonly abortSignal?: AbortSignal | undefined;
  /**
   * Throw a `SummarizationError` when no summary could be made, instead of carrying on without.
   * @default false
   */
  readonly abortOnFailure?: boolean | undefined;
}

/** A summary to be made by another process: plain JSON, which `prepareSummary` takes. */
export type SummaryJob = {
  /**
   * The same for all jobs that one summary is wanted by: where the queue takes an id of the caller's, a job that
   * waits already is not added again.
   */
  readonly id: string;
  /** The namespace of the call. */
  readonly namespace: string;
  /** The conversation of the call, if it carried an id. */
  readonly conversationId?: string;
  /** The call, compressed, encrypted and sealed under the secret: what a queue holds says nothing. */
  readonly call: string;
};

/** A queue of the application, by which other processes get their work. */
export interface SummaryQueue {
  /** Adds a job. Called within the request, before the model, which does not wait for it. */
  readonly enqueue: (job: SummaryJob) => unknown;
}
