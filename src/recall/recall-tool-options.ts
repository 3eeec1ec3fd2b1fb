import type { GivenState } from '../api/arguments/given-state.ts';
import type { StateInput } from '../api/arguments/state-input.ts';

/** Options of `recallTool`: the conversation by its id or by its messages. */
export type RecallToolOptions = StateInput &
  GivenState & {
    /**
     * Tokens that one answer may take. Minimum: 100.
     * @default 2_000
     */
    readonly maxTokens?: number | undefined;
    /**
     * Tokens that all answers to one user message may take, so that a loop cannot read itself over the limit.
     * Minimum: 100.
     * @default 8_000
     */
    readonly maxTurnTokens?: number | undefined;
  };

/** What the model gives the tool: one of `query` and `position`. */
export interface RecallInput {
  /** Words to search for. */
  readonly query?: string | undefined;
  /** The message to read from on, by its place in the conversation. */
  readonly position?: number | undefined;
  /** Characters of that message that are passed over. */
  readonly offset?: number | undefined;
}

/** What the tool answers. Texts are excerpts of originals, word for word but without invisible characters. */
export type RecallOutput = {
  readonly recalledFromArchive: true;
  /** Passages that were found, the best first, or that were read, in their order. */
  readonly passages: {
    readonly position: number;
    readonly offset: number;
    readonly role: string;
    readonly text: string;
  }[];
  /** Where reading goes on. */
  readonly next?: { readonly position: number; readonly offset: number };
  /** Why there is nothing, or not all. */
  readonly note?: string;
};
