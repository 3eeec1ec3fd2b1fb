/** Which call an event speaks of. */
export interface EventCall {
  /** Provider id of the wrapped model. */
  readonly provider: string;
  /** Model id of the wrapped model. */
  readonly modelId: string;
  /** `providerOptions.summarization.conversationId`, if given. */
  readonly conversationId?: string | undefined;
}

/** Sizes of one call's prompt, in tokens of the wrapped model. */
export interface EventSize {
  /** Tokens of the prompt, tools and response schema included. */
  readonly tokens: number;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** `tokens` over what the model accepts less the room for the answer. */
  readonly ratio: number;
}
