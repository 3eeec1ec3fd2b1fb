import type { Message } from '../../prompt/prompt-types.ts';

/** Counts a message, in tokens. */
export type CountTokens = (message: Message) => Promise<number>;

/** A conversation that is too long, and what its pieces take. Tokens are unscaled ones. */
export interface CountedConversation {
  readonly messages: readonly Message[];
  /** Tokens of each message; 0 for those that a record covers already. */
  readonly tokens: readonly number[];
  /** Tokens of all of them. */
  readonly history: number;
  /** Tokens of what stands around the conversation: system messages, tools, the record so far. */
  readonly fixed: number;
  /** Index of the first message that no record covers yet. */
  readonly start: number;
  /** Indexes at which groups of messages begin, ascending. */
  readonly boundaries: readonly number[];
  /** Those at which the next record may end; none where nothing may be left out. */
  readonly cuts: readonly number[];
  /** Indexes of messages before a cut that are sent nevertheless: anchor, pins, system messages. */
  readonly kept: (cut: number) => readonly number[];
  readonly keptTokens: (cut: number) => number;
  readonly count: CountTokens;
  /** Leaves the event loop to others where it is time. */
  readonly pause: () => Promise<void> | undefined;
}
