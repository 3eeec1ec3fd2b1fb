import type { CallOptions, Message } from '../prompt/prompt-types.ts';
import type { StateDialect } from '../prompt/state-dialect.ts';
import type { AtomicGroups } from './atomic-groups.ts';

/** A conversation and what must not be taken apart or left out of it. */
export interface DividedConversation {
  readonly conversation: readonly Message[];
  readonly groups: AtomicGroups;
  /** Indexes in the conversation of the messages that stay verbatim. */
  readonly pinned: ReadonlySet<number>;
  /** Whose options on messages change the state of the conversation. */
  readonly dialect: StateDialect | undefined;
  /** The tools of the call. */
  readonly tools: CallOptions['tools'];
}

/** The same and where it is cut: the index of the first of the recent messages. */
export interface CutConversation extends DividedConversation {
  readonly cut: number;
}
