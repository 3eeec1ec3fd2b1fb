/** When to summarise. */
export interface TriggerOptions {
  /**
   * Master switch. When `false`, calls pass unchanged and stored summaries are not applied either.
   * @default true
   */
  readonly enabled?: boolean | undefined;
  /**
   * By default the package stands aside where a call turns on the provider's own compaction, or its history holds
   * one. `'never'` takes no notice of it: the package summarises as it would without, and the settings of the call
   * are sent as they are. It still stands aside where the history is at the provider alone.
   * @default undefined
   */
  readonly native?: 'never' | undefined;
  /**
   * Summarise at or above this share of the tokens the model accepts. Above 0, at most 1.
   * @default 0.8
   */
  readonly triggerTokenRatio?: number | undefined;
  /**
   * Aim at or below this share when summarising; by its size alone the prompt is summarised again when it has grown
   * by as much as the two are apart. Above 0, below `triggerTokenRatio`.
   * @default 0.7, or 0.875 of a lower `triggerTokenRatio`
   */
  readonly resetTokenRatio?: number | undefined;
  /**
   * Summarise at or above this many tokens too, whatever the ratio.
   * @default undefined (off)
   */
  readonly tokenThreshold?: number | undefined;
  /**
   * Summarise once this many user messages have come since the last summarisation.
   * @default undefined (off)
   */
  readonly turnThreshold?: number | undefined;
  /**
   * Summarise after this many new messages even below the trigger.
   * @default undefined (off)
   */
  readonly forceRefreshAfterMessages?: number | undefined;
  /**
   * Below this many messages, act only when the prompt does not fit.
   * @default 12
   */
  readonly minMessages?: number | undefined;
  /**
   * New messages before the next summarisation, unless the prompt does not fit.
   * @default 4
   */
  readonly cooldownMessages?: number | undefined;
  /**
   * Generations of narrative that may be written from a narrative.
   * @default 3
   */
  readonly maxSummaryChainDepth?: number | undefined;
  /**
   * At `maxSummaryChainDepth`: `'rebase'` writes the next narrative from the record's items and the new
   * messages, at depth 0 again; `'halt'` makes no more summaries, and a prompt that no longer fits is
   * trimmed without a model.
   * @default 'rebase'
   */
  readonly atMaxDepth?: 'rebase' | 'halt' | undefined;
  /**
   * Before paying for a summary, replace old tool outputs in front of the recent messages by a line of
   * facts each; if that alone brings the prompt to `resetTokenRatio`, nothing is summarised. With
   * `optimizeFor: 'cost'` it is done whenever it pays, in one step that then stays.
   * @default false, but true with optimizeFor 'cost'
   */
  readonly condenseToolResults?: boolean | undefined;
}
