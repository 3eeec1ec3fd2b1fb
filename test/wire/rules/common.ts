import { type JsonRecord, isRecord } from '../json-view.ts';
import { type RuleViolation, broken } from './rule-violation.ts';

/** A message of any provider, reduced to what the common rules look at. */
export interface Turn {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Text parts, in order. */
  readonly texts: readonly string[];
  /** Ids of the client tool calls the turn makes. */
  readonly calls: readonly string[];
  /** Ids of the client tool calls the turn answers. */
  readonly results: readonly string[];
}

/** Joins runs of `tool` turns, so that one turn answers one assistant turn. */
export function joinToolTurns(turns: readonly Turn[]): Turn[] {
  const joined: Turn[] = [];
  for (const turn of turns) {
    const last = joined.at(-1);
    if (last?.role === 'tool' && turn.role === 'tool') {
      joined[joined.length - 1] = { ...last, results: [...last.results, ...turn.results] };
    } else {
      joined.push(turn);
    }
  }
  return joined;
}

/** What a provider calls the three ways of breaking a pair of call and result, and how it words them. */
export interface PairingWords {
  /** A result without its call in the turn before. */
  readonly orphan: (id: string, turn: number) => RuleViolation;
  /** A call that the next turn does not answer. */
  readonly unanswered: (id: string, turn: number) => RuleViolation;
  /** A call id or a result that appears twice. */
  readonly duplicate: (id: string, turn: number) => RuleViolation;
}

/** C3, C4 and C5: each call is answered once, in the turn that follows it. */
export function checkPairing(turns: readonly Turn[], words: PairingWords): RuleViolation[] {
  const violations: RuleViolation[] = [];
  const called = new Set<string>();
  const answered = new Set<string>();
  let open = new Set<string>();
  for (const [index, turn] of turns.entries()) {
    for (const id of turn.results) {
      if (answered.has(id)) violations.push(words.duplicate(id, index));
      else if (!open.delete(id)) violations.push(words.orphan(id, index));
      answered.add(id);
    }
    for (const id of open) violations.push(words.unanswered(id, index));
    for (const id of turn.calls) {
      if (called.has(id)) violations.push(words.duplicate(id, index));
      called.add(id);
    }
    open = new Set(turn.calls);
  }
  for (const id of open) violations.push(words.unanswered(id, turns.length));
  return violations;
}

/** C6: the indexes of turns with a text of nothing but white space. */
export function blankTurns(turns: readonly Turn[]): number[] {
  return turns.flatMap((turn, index) =>
    turn.texts.some((content) => content.trim() === '') ? [index] : [],
  );
}

/** The first turn that is not a system turn. */
function firstTurn(turns: readonly Turn[]): Turn | undefined {
  return turns.find((turn) => turn.role !== 'system');
}

/** C2: whether the conversation opens with a user turn that answers nothing. */
export function opensWithUser(turns: readonly Turn[]): boolean {
  const first = firstTurn(turns);
  return first?.role === 'user' && first.results.length === 0;
}

/** C9: keys of a message that its role does not know. */
export function unknownKeys(message: JsonRecord, known: readonly string[]): string[] {
  return Object.keys(message).filter((key) => !known.includes(key));
}

/** C10: whether tool arguments are the JSON text of an object. */
export function isJsonObjectText(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  try {
    return isRecord(JSON.parse(value));
  } catch {
    return false;
  }
}

/** C1, worded by the caller. */
export function checkNotEmpty(
  turns: readonly Turn[],
  rule: string,
  message: string,
): RuleViolation[] {
  return firstTurn(turns) === undefined ? [broken(rule, message)] : [];
}
