import type { Message } from '../../../prompt/prompt-types.ts';

/** A question about a conversation, with the answer it is held against. */
export interface EvalQuestion {
  readonly id: string;
  /** As it is asked: with the date on which, where the file has one. */
  readonly question: string;
  readonly reference: string;
  /** What kind of question the file calls it. */
  readonly type: string;
  /** Whether the right answer is that the conversation does not say. */
  readonly isUnanswerable: boolean;
}

/** A conversation, and what is asked about it. */
export interface EvalConversation {
  readonly name: string;
  readonly prompt: readonly Message[];
  readonly questions: readonly EvalQuestion[];
}
