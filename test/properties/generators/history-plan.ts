import * as fc from 'fast-check';
import type { Message } from '../../../src/index.ts';
import { moreTurns, traces, type TraceKind, type TracePlan, type TurnPlan } from './trace-plan.ts';
import { weighted } from './texts.ts';
import { writeTrace, type Trace } from './write-trace.ts';

/** What a client does before it sends its conversation again. */
export type ClientAction =
  | { readonly kind: 'append'; readonly turn: TurnPlan }
  | { readonly kind: 'resend' }
  /** Answers the last user message anew. */
  | { readonly kind: 'regenerate'; readonly turn: TurnPlan }
  /** Changes a user message; what followed it is dropped, or stays. */
  | { readonly kind: 'edit'; readonly turn: number; readonly seed: number; readonly drop: boolean }
  /** Goes back to what was sent some rounds ago and continues from there. */
  | { readonly kind: 'branch'; readonly round: number; readonly turn: TurnPlan };

/** What changes between two requests although the conversation does not. */
export type Noise = 'none' | 'ids' | 'options' | 'no-reasoning' | 'other-date' | 'json';

/** One request of a history. */
export interface RoundPlan {
  readonly action: ClientAction;
  readonly noise: Noise;
}

/** A conversation over several requests. */
export interface HistoryPlan {
  readonly start: TracePlan;
  readonly rounds: readonly RoundPlan[];
}

/** Histories of 5 to 10 requests. */
export function histories(
  kind: TraceKind = {},
  noises: readonly Noise[] = ['none', 'ids', 'options', 'no-reasoning', 'other-date', 'json'],
): fc.Arbitrary<HistoryPlan> {
  const turn = moreTurns(kind);
  const action = weighted<ClientAction>(
    [6, fc.record({ kind: fc.constant('append'), turn })],
    [1, fc.constant({ kind: 'resend' })],
    [1, fc.record({ kind: fc.constant('regenerate'), turn })],
    [
      1,
      fc.record({
        kind: fc.constant('edit'),
        turn: fc.nat(20),
        seed: fc.integer({ min: 1000, max: 2000 }),
        drop: fc.boolean(),
      }),
    ],
    [1, fc.record({ kind: fc.constant('branch'), round: fc.nat(9), turn })],
  );
  return fc.record({
    start: traces({ ...kind, endings: ['as-is'] }),
    rounds: fc.array(fc.record({ action, noise: fc.constantFrom(...noises) }), {
      minLength: 5,
      maxLength: 10,
    }),
  });
}

/** Plays a history: the conversation of each round, as the client has it. */
export function playHistory({ start, rounds }: HistoryPlan): readonly TracePlan[] {
  const played: TracePlan[] = [start];
  for (const { action } of rounds) played.push(nextState(played.at(-1) ?? start, action, played));
  return played.slice(1);
}

function nextState(
  state: TracePlan,
  action: ClientAction,
  played: readonly TracePlan[],
): TracePlan {
  const { turns } = state;
  switch (action.kind) {
    case 'append':
      return { ...state, turns: [...turns, action.turn] };
    case 'resend':
      return state;
    case 'regenerate': {
      const last = turns.at(-1);
      if (last === undefined) return state;
      return { ...state, turns: [...turns.slice(0, -1), { ...last, steps: action.turn.steps }] };
    }
    case 'edit': {
      const index = action.turn % turns.length;
      const edited = turns.map((turn, position) =>
        position === index
          ? {
              ...turn,
              users: turn.users.map((user) => ({
                ...user,
                text: { ...user.text, seed: action.seed },
              })),
            }
          : turn,
      );
      return { ...state, turns: action.drop ? edited.slice(0, index + 1) : edited };
    }
    case 'branch': {
      const from = played[action.round % played.length] ?? state;
      return { ...from, turns: [...from.turns, action.turn] };
    }
  }
}

/** Writes one round as the client sends it this time. */
export function writeRound(plan: TracePlan, noise: Noise): Trace {
  const trace = writeTrace(plan, noise === 'ids' ? 'other-' : 'call');
  const entries = trace.prompt
    .map((message, index) => ({
      message: withNoise(message, index, noise),
      group: trace.groups[index] ?? 0,
    }))
    .filter(({ message }) => message.role === 'system' || message.content.length > 0);
  return {
    prompt: entries.map(({ message }) => message),
    groups: entries.map(({ group }) => group),
  };
}

function withNoise(message: Message, index: number, noise: Noise): Message {
  switch (noise) {
    case 'none':
    case 'ids':
      return message;
    case 'json': {
      const copy: Message = JSON.parse(JSON.stringify(message));
      return copy;
    }
    case 'options':
      return index % 3 === 0
        ? { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
        : message;
    case 'no-reasoning':
      return message.role === 'assistant'
        ? { ...message, content: message.content.filter(({ type }) => type !== 'reasoning') }
        : message;
    case 'other-date':
      return index === 0 && message.role === 'system'
        ? { ...message, content: `${message.content} Today is another day.` }
        : message;
  }
}
