import type { Kept } from './journal.ts';
import type { MethodName } from './methods/methods.ts';
import type { EvalQuestion } from './questions/eval-conversation.ts';

/** What came of one question, asked once by one method. */
export interface Outcome {
  readonly question: EvalQuestion;
  readonly method: MethodName;
  readonly run: number;
  readonly answer?: Kept<'answer'> | undefined;
  /** None where there is no answer to judge, and where the judge said neither yes nor no. */
  readonly verdict?: 'yes' | 'no' | undefined;
  /** Why it is left undone: the next time the command is run it is taken up. */
  readonly undone?: string | undefined;
}

/** What came of a conversation that a method made ready, once. */
export interface StrandFindings {
  readonly method: MethodName;
  readonly history: Kept<'history'> | undefined;
  readonly outcomes: readonly Outcome[];
}
