/** Who shortens a conversation where its provider can. */
export interface NativeOptions {
  /**
   * The provider's own compaction, where it has one: OpenAI's and Azure's Responses API, and Claude from 4.6 on.
   *
   * `'prefer'` turns it on, from as many tokens on as `triggerTokenRatio` and `tokenThreshold` come to, but at least
   * the 1,000 that OpenAI and the 50,000 that Anthropic ask for. What the provider leaves in the history stays in
   * place, and the package acts only when it is asked to (`force`, `compactTool`) or the prompt does not fit. Where
   * the provider refuses, the call is sent once more without it, with a summary of the package's, and the model is
   * asked no more for an hour. Where there is none, where the caller has turned one on, or where its threshold would
   * come too late for the model's context, the option changes nothing.
   *
   * `'never'` takes no notice of it: the package summarises as it would without, also where the caller has turned
   * one on, whose settings are sent as they are. It still stands aside where the history is at the provider alone.
   *
   * By default nothing is turned on, and the package stands aside where the caller has done so.
   * @default undefined
   */
  readonly native?: 'prefer' | 'never' | undefined;
}
