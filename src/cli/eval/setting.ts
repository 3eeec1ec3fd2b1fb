import type { WrappedModel } from '../../prompt/prompt-types.ts';
import type { Budget } from './budget.ts';
import type { CallGate } from './call-gate.ts';
import type { EvalArguments } from './eval-arguments.ts';
import type { Journal } from './journal.ts';

/** What an evaluation works with. */
export interface Setting {
  readonly given: EvalArguments;
  /** Tokens to which methods keep. */
  readonly contextLength: number;
  /** Tokens of any answer or summary. */
  readonly maxOutputTokens: number;
  readonly model: WrappedModel;
  readonly judge: WrappedModel;
  readonly journal: Journal;
  readonly budget: Budget;
  readonly gate: CallGate;
  /** Told after each question. */
  readonly onQuestion: () => void;
}
