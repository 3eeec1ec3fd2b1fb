import type { Message } from '../prompt/prompt-types.ts';
import type { Priority } from './message-priority.ts';

/** What stays verbatim. */
export interface VerbatimOptions {
  /**
   * Messages kept verbatim at the end. Grows to the next place where the conversation may be cut,
   * shrinks (never below 2) when they alone are too large. Minimum: 2.
   * @default 6
   */
  readonly preserveRecent?: number | undefined;
  /**
   * More than `preserveRecent` messages are kept while they fit in this share of the context; with a trigger below 0.8
   * of it, of 1.25 times the tokens that trigger. 0 to 1.
   * @default 0.1
   */
  readonly preserveRecentTokenRatio?: number | undefined;
  /**
   * Messages that stay verbatim for ever, with their group. Called with every message after the leading
   * system messages; one that throws counts as `false`.
   */
  readonly pin?: ((message: Message) => boolean) | undefined;
  /**
   * How much a message matters: where room is short, texts of those that matter less are shortened first, and
   * quoted last in records of the rules and in minutes. Beside the defaults: what the user said 4, a tool's error
   * 3, what the assistant said 1, what else a tool printed 0; rules of the user come before all of them, and
   * decisions before the assistant's other words. Where it throws or returns no number, the default counts.
   * @default those
   */
  readonly priority?: Priority | undefined;
}
