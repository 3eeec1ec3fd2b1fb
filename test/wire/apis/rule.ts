import { isRecord, type JsonRecord } from '../json-view.ts';

/** A broken wire rule. */
export interface RuleViolation {
  /** Short name of the rule, such as `AN4`. */
  readonly rule: string;
  /** `E`: the real API answers 4xx; `S`: some hosts or models do; `W`: accepted, but wrong or degraded. */
  readonly severity: 'E' | 'S' | 'W';
  /** What the provider answers, nearly in its own words. */
  readonly message: string;
}

/** Rules, each by its name and what the provider answers, with what tells that it is broken. */
export type Rules<View> = Readonly<Record<`${string}: ${string}`, (view: View) => boolean>>;

/** Makes what checks a body by an API's rules, in its severities. */
export function checker<View>(
  viewOf: (body: JsonRecord) => View,
  rules: Readonly<Partial<Record<RuleViolation['severity'], Rules<View>>>>,
): (body: JsonRecord) => RuleViolation[] {
  const all = (['E', 'S', 'W'] as const).flatMap((severity) =>
    Object.entries(rules[severity] ?? {}).map(([name, isBroken]) => {
      const [, rule = '', message = ''] = /^(\w+): (.*)$/s.exec(name) ?? [];
      return { violation: { rule, severity, message }, isBroken };
    }),
  );
  return (body) => {
    const view = viewOf(body);
    return all.flatMap(({ violation, isBroken }) => (isBroken(view) ? [violation] : []));
  };
}

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

/** What turns break of the rules that all providers have: C1 to C6. */
export interface TurnFaults {
  /** C1: there is nothing but system turns. */
  readonly isEmpty: boolean;
  /** C2: whether the conversation opens with a user turn that answers nothing. */
  readonly opensWithUser: boolean;
  /** C3: a result without its call in the turn before. */
  readonly isOrphan: boolean;
  /** C4: a call that the next turn does not answer. */
  readonly isUnanswered: boolean;
  /** C5: a call id or a result that appears twice. */
  readonly isDuplicate: boolean;
  /** C6: a text of nothing but white space. */
  readonly isBlank: boolean;
}

/**
 * Reads what turns break.
 *
 * @param joined - Roles whose turns in a row are one.
 */
export function faultsOf(
  given: readonly Turn[],
  joined: readonly Turn['role'][] = ['tool'],
): TurnFaults {
  const turns: Turn[] = [];
  for (const turn of given) {
    const last = turns.at(-1);
    if (last?.role !== turn.role || !joined.includes(turn.role)) turns.push(turn);
    else
      turns[turns.length - 1] = {
        role: turn.role,
        texts: [...last.texts, ...turn.texts],
        calls: [...last.calls, ...turn.calls],
        results: [...last.results, ...turn.results],
      };
  }
  const first = turns.find(({ role }) => role !== 'system');
  const [called, answered] = [new Set<string>(), new Set<string>()];
  let open = new Set<string>();
  let [isOrphan, isUnanswered, isDuplicate] = [false, false, false];
  for (const { calls, results } of turns) {
    for (const id of results) {
      if (answered.has(id)) isDuplicate = true;
      else if (!open.delete(id)) isOrphan = true;
      answered.add(id);
    }
    isUnanswered ||= open.size > 0;
    isDuplicate ||= calls.some((id, index) => called.has(id) || calls.indexOf(id) !== index);
    for (const id of calls) called.add(id);
    open = new Set(calls);
  }
  return {
    isEmpty: first === undefined,
    opensWithUser: first?.role === 'user' && first.results.length === 0,
    isOrphan,
    isUnanswered: isUnanswered || open.size > 0,
    isDuplicate,
    isBlank: turns.some(({ texts }) => texts.some((text) => text.trim() === '')),
  };
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

/**
 * The signature a provider would put on `content`: a stand-in for the cryptographic ones, so that a
 * validator can tell whether signed bytes were changed. FNV-1a, written in hexadecimal.
 */
export function proofOf(content: string): string {
  let hash = 0x811c9dc5;
  for (const character of content)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return `proof${(hash >>> 0).toString(16).padStart(8, '0')}`;
}
