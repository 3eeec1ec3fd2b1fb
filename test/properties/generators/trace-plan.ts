import * as fc from 'fast-check';
import { texts, weighted, type TextKind, type TextPlan } from './texts.ts';

/** How a tool answered. */
export type OutputKind = 'text' | 'json' | 'content' | 'error-text' | 'error-json' | 'denied';

/** One call of a tool and its output. */
export interface CallPlan {
  readonly tool: 'read_file' | 'search_files' | 'execute_bash';
  readonly kind: OutputKind;
  readonly output: TextPlan;
}

/** How an assistant message reasons before it speaks. */
export type Thinking = 'none' | 'signed' | 'plain';

/** One step of an agent. Whatever a step writes belongs together, but for what stands alone by nature. */
export type StepPlan =
  | { readonly kind: 'answer'; readonly thinking: Thinking; readonly text: TextPlan }
  | {
      readonly kind: 'calls';
      readonly thinking: Thinking;
      readonly say: boolean;
      readonly calls: readonly CallPlan[];
    }
  | { readonly kind: 'approval'; readonly approved: boolean; readonly call: CallPlan }
  | { readonly kind: 'hosted'; readonly call: CallPlan; readonly approval: boolean }
  | { readonly kind: 'hosted-late'; readonly call: CallPlan }
  | { readonly kind: 'code-calls'; readonly calls: readonly CallPlan[] }
  | { readonly kind: 'thought-apart'; readonly call: CallPlan }
  | { readonly kind: 'operator'; readonly text: TextPlan }
  | { readonly kind: 'picture' }
  | { readonly kind: 'empty' };

/** What a user wrote: a text, perhaps with a file. */
export interface UserPlan {
  readonly text: TextPlan;
  readonly file: 'none' | 'image' | 'document' | 'link';
}

/** User messages, usually one, and the steps that answer them. */
export interface TurnPlan {
  readonly users: readonly UserPlan[];
  readonly steps: readonly StepPlan[];
}

/** A whole conversation. */
export interface TracePlan {
  readonly systems: readonly TextPlan[];
  readonly turns: readonly TurnPlan[];
  /** The last message: what the turns end with, one more user message, a prefill, an open call. */
  readonly ending: 'as-is' | 'user' | 'prefill' | 'open-calls';
}

/** Which of the rarer shapes a generator produces. */
export interface TraceKind extends TextKind {
  /** Leaves out what a client would not send back: empty messages. */
  readonly noEmptySteps?: boolean;
  readonly endings?: readonly TracePlan['ending'][];
  readonly minTurns?: number;
  readonly maxTurns?: number;
}

function calls(kind: TextKind): fc.Arbitrary<CallPlan> {
  return fc.record({
    tool: fc.constantFrom('read_file', 'search_files', 'execute_bash'),
    kind: fc.constantFrom('text', 'text', 'json', 'content', 'error-text', 'error-json', 'denied'),
    output: texts(kind),
  });
}

const thinking: fc.Arbitrary<Thinking> = fc.constantFrom('none', 'none', 'signed', 'plain');

function steps(kind: TraceKind): fc.Arbitrary<StepPlan> {
  const call = calls(kind);
  const text = texts(kind);
  return weighted<StepPlan>(
    [5, fc.record({ kind: fc.constant('answer'), thinking, text })],
    [
      8,
      fc.record({
        kind: fc.constant('calls'),
        thinking,
        say: fc.boolean(),
        calls: fc.array(call, { minLength: 1, maxLength: 3 }),
      }),
    ],
    [1, fc.record({ kind: fc.constant('approval'), approved: fc.boolean(), call })],
    [1, fc.record({ kind: fc.constant('hosted'), call, approval: fc.boolean() })],
    [1, fc.record({ kind: fc.constant('hosted-late'), call })],
    [
      1,
      fc.record({
        kind: fc.constant('code-calls'),
        calls: fc.array(call, { minLength: 1, maxLength: 2 }),
      }),
    ],
    [1, fc.record({ kind: fc.constant('thought-apart'), call })],
    [1, fc.record({ kind: fc.constant('operator'), text })],
    [1, fc.constant({ kind: 'picture' })],
    [kind.noEmptySteps === true ? 0 : 1, fc.constant({ kind: 'empty' })],
  );
}

function turns(kind: TraceKind, step: fc.Arbitrary<StepPlan>): fc.Arbitrary<TurnPlan> {
  const user: fc.Arbitrary<UserPlan> = fc.record({
    text: texts(kind),
    file: fc.constantFrom('none', 'none', 'none', 'none', 'image', 'document', 'link'),
  });
  return fc.record({
    users: weighted(
      [6, fc.array(user, { minLength: 1, maxLength: 1 })],
      [1, fc.array(user, { minLength: 2, maxLength: 4 })],
    ),
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  });
}

/**
 * Conversations of agents: chats of many turns, and one user message followed by a long loop. Shrinks by
 * dropping turns and steps before texts, so a smaller counterexample is legal too.
 */
export function traces(kind: TraceKind = {}): fc.Arbitrary<TracePlan> {
  const { endings = ['as-is', 'as-is', 'user', 'user', 'prefill', 'open-calls'] } = kind;
  const { minTurns = 1, maxTurns = 9 } = kind;
  const step = steps(kind);
  const turn = turns(kind, step);
  const loop = fc.record({
    users: turn.map(({ users }) => users),
    steps: fc.array(step, { maxLength: 25 }),
  });
  return fc.record({
    systems: fc.array(texts(), { maxLength: 2 }),
    turns: weighted<TurnPlan[]>(
      [4, fc.array(turn, { minLength: minTurns, maxLength: maxTurns })],
      [1, fc.array(loop, { minLength: 1, maxLength: 1 })],
    ),
    ending: fc.constantFrom(...endings),
  });
}

/** One more turn of a conversation that goes on. */
export function moreTurns(kind: TraceKind = {}): fc.Arbitrary<TurnPlan> {
  return turns(kind, steps(kind));
}
