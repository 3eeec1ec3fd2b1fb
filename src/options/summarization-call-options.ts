/** `providerOptions.summarization` of one call. Removed before the provider sees the call. */
export interface SummarizationCallOptions {
  /** Narrows the search for a stored summary. Never trusted instead of the content. */
  readonly conversationId?: string | undefined;
  /** Summarise now, even below the trigger: what a `/resummarize` command sets. */
  readonly force?: boolean | undefined;
  /** `false` lets this call pass unchanged. */
  readonly enabled?: boolean | undefined;
  /**
   * Indexes of messages that stay verbatim, counted after the leading system messages, from the end if
   * negative. A single message can carry `providerOptions: { summarization: { pin: true } }` instead.
   */
  readonly pin?: readonly number[] | undefined;
}
