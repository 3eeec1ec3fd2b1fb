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
}
