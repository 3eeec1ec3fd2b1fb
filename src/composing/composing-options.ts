import type { Placement } from './resolve-placement.ts';

/** How the summary stands in the prompt. */
export interface ComposingOptions {
  /**
   * Where the summary goes. `'auto'` is a system message of its own, merged into the leading one for
   * providers that may reject a second. Where a prompt is refused for its place, the next one is tried, merged and
   * then `'user'`, and kept for the model. With `'user'` it is part of the first user message, so that default
   * instructions which are added behind the middleware, where there is no system message, stay.
   * @default 'auto'
   */
  readonly placement?: Placement | 'auto' | undefined;
  /**
   * Repeat the user's own recent texts verbatim beside the summary, newest first, within
   * `maxSummaryTokens`.
   * @default false
   */
  readonly preserveUserTurns?: boolean | undefined;
  /**
   * Says what is true now and must not be remembered from the past: running tasks, open files, the environment.
   * Asked once in each call whose prompt holds a summary, and stated right behind that, never summarised and
   * never stored; prompts without a summary stay as they are. At most 4,000 characters, and two for each token
   * of `maxSummaryTokens`; of more the middle is left out. Must be synchronous; one that throws or returns
   * anything but a string states nothing, which a `failed` event says.
   *
   * As long as it returns the same text, prompts begin alike. Where it returns another one, what stands behind
   * the summary is not read from the provider's prompt cache in that call: leave out what changes all the time.
   * @default none
   */
  readonly liveState?: (() => string | undefined) | undefined;
}
