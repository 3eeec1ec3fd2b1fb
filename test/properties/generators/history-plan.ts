import * as fc from 'fast-check';
import type { Message } from '../../../src/index.ts';
import { moreTurns, type TraceKind, type TracePlan, type TurnPlan } from './trace-plan.ts';
import { weighted } from './texts.ts';
import { writeTrace, type Trace } from './write-trace.ts';

/** What a client does to its conversation before it sends it. */
export type Change =
  | { readonly change: 'append' | 'regenerate'; readonly turn: TurnPlan }
  | { readonly change: 'edit'; readonly at: number; readonly drop: boolean }
  | { readonly change: 'delete'; readonly at: number }
  /** Goes back to what another client, or it itself, sent some calls ago. */
  | { readonly change: 'branch'; readonly from: number; readonly ago: number }
  | { readonly change: 'instructions' | 'tools' | 'none' };

/** Changes of one of so many clients. */
export function changes(kind: TraceKind, clients = 1): fc.Arbitrary<Change> {
  return weighted<Change>(
    [
      12,
      fc.record({
        change: fc.constantFrom('append', 'append', 'regenerate'),
        turn: moreTurns(kind),
      }),
    ],
    [1, fc.record({ change: fc.constant('edit'), at: fc.nat(20), drop: fc.boolean() })],
    [1, fc.record({ change: fc.constant('delete'), at: fc.nat(20) })],
    [1, fc.record({ change: fc.constant('branch'), from: fc.nat(clients - 1), ago: fc.nat(6) })],
    [3, fc.record({ change: fc.constantFrom('instructions', 'tools', 'none', 'none') })],
  );
}

/** Somebody's conversation, and what it was with each call. */
export interface Author {
  readonly state: TracePlan;
  readonly former: readonly TracePlan[];
}

/** Numbers that make texts differ. */
export type NextSeed = () => number;

/** The same shape with texts that nobody else has. */
export function withFreshTexts(turn: TurnPlan, next: NextSeed): TurnPlan {
  const fresh: TurnPlan = JSON.parse(JSON.stringify(turn), (key, value: unknown) =>
    key === 'seed' ? next() : value,
  );
  return fresh;
}

/** Changes a conversation as a client does. */
export function changed(
  author: Author,
  change: Change,
  authors: readonly Author[],
  next: NextSeed,
): TracePlan {
  const { state } = author;
  const { turns } = state;
  const last = turns.at(-1);
  switch (change.change) {
    case 'append':
      return { ...state, turns: [...turns, withFreshTexts(change.turn, next)] };
    case 'regenerate':
      if (last === undefined) return state;
      return {
        ...state,
        turns: [...turns.slice(0, -1), { ...withFreshTexts(change.turn, next), users: last.users }],
      };
    case 'edit': {
      const at = change.at % turns.length;
      const edited = turns.map((turn, index) => (index === at ? withFreshTexts(turn, next) : turn));
      return { ...state, turns: change.drop ? edited.slice(0, at + 1) : edited };
    }
    case 'delete':
      if (turns.length < 2) return state;
      return { ...state, turns: turns.toSpliced(change.at % turns.length, 1) };
    case 'branch': {
      const { former } = authors[change.from] ?? author;
      return former.at(-1 - change.ago) ?? state;
    }
    case 'instructions':
      return { ...state, systems: [{ seed: next(), words: 5, extra: '' }] };
    case 'tools':
    case 'none':
      return state;
  }
}

/** What changes between two requests although the conversation does not. */
export type Noise = 'none' | 'ids' | 'options' | 'no-reasoning' | 'other-date' | 'json';

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
