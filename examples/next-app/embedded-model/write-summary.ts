import type { ActionItem } from 'ai-sdk-summarization';
import { findAnswer } from './find-answer.ts';
import {
  asObject,
  finishedSteps,
  jsonLines,
  progressLabel,
  readRecord,
  recordStatements,
  textsOf,
  type KnownRecord,
} from './known-record.ts';
import {
  questionsIn,
  remarksIn,
  sentences,
  statementsIn,
  subjectOf,
  type Turn,
} from './reading.ts';

/**
 * Writes the whole record that the summarizing prompt asks for, by extraction: answers to the questions that
 * are open, rules and tasks in the user's words, and how far the current request has got.
 *
 * @param prompt - User text of the summarizing prompt: the previous record and the messages as JSON.
 */
export function writeSummary(prompt: string): object {
  const { turns, previous, maxChars } = readSummaryPrompt(prompt);
  const latestRequest = turns.findLastIndex(({ role }) => role === 'user');
  const requests = turns.filter(({ role }) => role === 'user').map(({ text }) => text);

  const statements = [...recordStatements(previous), ...statementsIn(turns)];
  const openBefore = previous.items.filter(({ list }) => list === 'unresolved');
  const asked = [...openBefore.map(({ text }) => text), ...requests.flatMap(questionsIn)];
  const answerTo = (question: string) => findAnswer(question, statements);

  const steps = [
    ...(latestRequest === -1 ? finishedSteps(previous) : []),
    ...turns.slice(Math.max(latestRequest, 0)).flatMap(({ calls }) => calls.map(subjectOf)),
  ];
  const remarks = requests.flatMap(remarksIn);

  return {
    summary: narrative(previous.narrative, turns, maxChars),
    keyPoints: [
      ...(steps.length > 0 ? [progressLabel + steps.map((step) => `\`${step}\``).join(', ')] : []),
      ...new Set([
        // A new request starts a new list of steps.
        ...textsOf(previous, 'keyPoints').filter((text) => !text.startsWith(progressLabel)),
        ...asked.flatMap((question) => answerTo(question) ?? []),
      ]),
    ],
    context: {
      ...withEarlier(previous, sortRemarks(remarks)),
      unresolved: asked.filter((question) => answerTo(question) === undefined),
      domainEntities: [
        ...textsOf(previous, 'domainEntities'),
        ...requests.flatMap(questionsIn).flatMap(quotedNames),
      ],
    },
    ended: [],
  };
}

/** Decisions and tasks after those of the record before; its constraints are kept without a word. */
export function withEarlier(
  previous: KnownRecord,
  { decisions, actionItems, constraints }: ReturnType<typeof sortRemarks>,
): ReturnType<typeof sortRemarks> {
  return {
    decisions: [...textsOf(previous, 'decisions'), ...decisions],
    actionItems: [...textsOf(previous, 'actionItems').map((task) => ({ task })), ...actionItems],
    constraints,
  };
}

/** Share of what the prompt allows for a record that its narrative may take. */
const narrativeShare = 0.25;

/** Input of a summarizing prompt: the previous record, and the messages since. */
export function readSummaryPrompt(prompt: string): {
  readonly previous: KnownRecord;
  readonly turns: readonly Turn[];
  /** Characters that the narrative may take. */
  readonly maxChars: number;
} {
  const given = jsonLines(prompt);
  return {
    previous: readRecord(given.find((value) => !Array.isArray(value))),
    turns: given.filter(Array.isArray).flat().map(readEntry),
    maxChars: narrativeShare * Number(/\((\d+) characters\)/.exec(prompt)?.[1] ?? 2400),
  };
}

/** Finds the decisions, tasks and rules among what the user said. */
export function sortRemarks(remarks: readonly string[]): {
  readonly decisions: readonly string[];
  readonly actionItems: readonly ActionItem[];
  readonly constraints: readonly string[];
} {
  return {
    decisions: remarks.filter((remark) => /\b(decided|agreed)\b/i.test(remark)),
    actionItems: remarks.flatMap((remark) => {
      const [, task, due] = /^remind me to (.+?) ((?:before|after|by) .+)\.$/i.exec(remark) ?? [];
      return task ? [{ owner: 'assistant', task: `remind the user to ${task}`, due }] : [];
    }),
    constraints: remarks.filter((remark) => /\b(never|always|must|only)\b/i.test(remark)),
  };
}

/** Tells what came before and what was asked and done since; the middle goes when it gets too long. */
export function narrative(before: string, turns: readonly Turn[], maxChars: number): string {
  const told = [...sentences(before)];
  let calls: string[] = [];
  for (const turn of turns) {
    if (turn.role === 'user') {
      const [opening = ''] = sentences(turn.text);
      told.push(
        ...deeds(calls),
        `The user ${opening.endsWith('?') ? 'asked' : 'said'}: "${opening}"`,
      );
      calls = [];
    }
    calls.push(...turn.calls.map(({ name }) => name));
  }
  told.push(...deeds(calls));
  while (told.length > 2 && told.join(' ').length > maxChars) told.splice(1, 1);
  return told.join(' ').slice(0, maxChars) || 'Nothing was said.';
}

/** One sentence on the tools that were called, none when there were none. */
function deeds(names: readonly string[]): readonly string[] {
  const uses = [...new Set(names)].map(
    (name) => `${name} (${names.filter((other) => other === name).length})`,
  );
  return uses.length > 0 ? [`The assistant called ${uses.join(', ')}.`] : [];
}

/** Files and identifiers that a question quotes. */
export function quotedNames(question: string): readonly string[] {
  return Array.from(question.matchAll(/`([\w./-]+)`/g), ([, name = '']) => name);
}

/** Findings of tools that are short enough to be a fact, and last: the time of day does not. */
export function findings(turns: readonly Turn[]): readonly string[] {
  return turns
    .filter(({ role, text }) => role === 'tool' && !/\n|^It is /.test(text))
    .map(({ text }) => text);
}

/** One entry of a transcript: a message, or what the user said in a part of it that was condensed. */
export function readEntry(entry: unknown): Turn {
  const { role, text, calls, summary } = asObject(entry);
  if (typeof summary === 'string') return { role: 'user', text: summary, calls: [] };
  return {
    role: String(role),
    text: typeof text === 'string' ? text : '',
    calls: Object.values(asObject(calls)).map((call) => {
      const { name, input } = asObject(call);
      return { name: String(name), input: asObject(jsonLines(String(input))[0]) };
    }),
  };
}
