import type { Message } from '../../prompt/messages/prompt-types.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { asOneLine, cutAtWord } from '../strategies/texts.ts';
import { parsedJson } from './read-messages.ts';

/** Most characters of a plan's state in a record, some 300 tokens, and of one entry. */
const planCharacters = 1200;
const entryCharacters = 160;

/** Most characters of an entry's state: a longer value is a text. */
const stateCharacters = 24;

interface PlanEntry {
  readonly text: string;
  readonly state: string;
}

interface PlanCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Entries of the plan; `undefined` if the call writes no plan. */
  readonly entries: readonly PlanEntry[] | undefined;
  /** Whether the call is in messages that stay. */
  readonly isRecent: boolean;
}

/**
 * Finds the last state of a tool whose every call replaces the one before: a list of objects with a text and a state,
 * such as a list of todos.
 *
 * @param messages - Messages that a record is to stand for.
 * @param recent - Messages that stay: a plan in them needs no copy.
 * @param before - The state in the previous record.
 * @returns An entry a line, `completed: Read the log`; `undefined` where there is no plan, or where it was cleared.
 */
export function planState(
  messages: readonly Message[],
  recent: readonly Message[],
  before: string | undefined,
): string | undefined {
  const failed = new Set<string>();
  const all: PlanCall[] = [];
  for (const [index, { role, content }] of [...messages, ...recent].entries()) {
    if (role !== 'assistant' && role !== 'tool') continue;
    for (const part of content) {
      if (part.type === 'tool-result' && part.output.type.startsWith('error'))
        failed.add(part.toolCallId);
      if (part.type === 'tool-call')
        all.push({ ...part, entries: entriesOf(part.input), isRecent: index >= messages.length });
    }
  }
  const calls = all.filter(({ toolCallId }) => !failed.has(toolCallId));
  const byName = Map.groupBy(calls, ({ toolName }) => toolName);
  const plans = [...byName].filter(
    ([, same]) =>
      same.every(({ entries }) => entries !== undefined) &&
      (before !== undefined || same.some(({ entries = [] }) => entries.length > 0)),
  );
  const last = calls.findLast(({ toolName }) => plans.some(([name]) => name === toolName));
  if (last === undefined) return before;
  if (last.isRecent || last.entries === undefined || last.entries.length === 0) return undefined;
  return written(last.entries);
}

/**
 * Reads the entries of a plan that a call writes: none if the call clears the plan, `undefined` if it writes no plan.
 */
function entriesOf(given: unknown): readonly PlanEntry[] | undefined {
  const input = parsedJson(given) ?? given;
  const lists = Object.values<unknown>(isObject(input) ? input : { input }).filter(Array.isArray);
  const [list] = lists;
  if (list === undefined || lists.length > 1) return undefined;
  const entries = list.map(entryOf);
  return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function entryOf(value: unknown): PlanEntry | undefined {
  if (!isObject(value)) return undefined;
  const fields = Object.entries(value);
  const state = fields.find(
    ([name, each]) =>
      typeof each === 'boolean' ||
      (typeof each === 'string' &&
        each.length <= stateCharacters &&
        /stat|done|complet/i.test(name)),
  );
  const texts = fields.flatMap(([name, each]) =>
    typeof each === 'string' && name !== state?.[0] && name !== 'id' ? [asOneLine(each)] : [],
  );
  const [text] = texts.toSorted((one, other) => other.length - one.length);
  if (state === undefined || text === undefined || text === '') return undefined;
  const [name, is] = state;
  const told = typeof is === 'boolean' ? (is ? name : `not ${name}`) : String(is);
  return { text: cutAtWord(text, entryCharacters), state: told };
}

/** Writes entries, and prefers those in another state than the first one, which is mostly done. */
function written(entries: readonly PlanEntry[]): string {
  const lines = entries.map(({ state, text }) => `${state}: ${text}`);
  let left = planCharacters;
  const [first] = entries;
  const ranked = entries
    .map((entry, index) => ({ index, isDone: entry.state === first?.state }))
    .toSorted((one, other) => Number(one.isDone) - Number(other.isDone) || other.index - one.index);
  const kept = new Set<number>();
  for (const { index } of ranked) {
    left -= (lines[index]?.length ?? 0) + 1;
    if (left >= 0) kept.add(index);
  }
  const gone = lines.length - kept.size;
  const shown = lines.filter((_, index) => kept.has(index));
  return [...(gone > 0 ? [`… ${gone} more entries`] : []), ...shown].join('\n');
}
