import { findAnswer } from './find-answer.ts';
import {
  asObject,
  finishedSteps,
  jsonLines,
  progressLabel,
  readRecord,
  recordStatements,
} from './known-record.ts';
import {
  questionsIn,
  remarksIn,
  requestedCalls,
  sentences,
  statementsIn,
  subjectOf,
  type Turn,
} from './reading.ts';

/**
 * Writes the record that the summarising prompt asks for, by extraction: answers to the questions that
 * are open, rules and tasks in the user's words, and how far the current request has got.
 *
 * @param prompt - User text of the summarising prompt: the previous record and the messages as JSON.
 */
export function writeSummary(prompt: string): object {
  const given = jsonLines(prompt);
  const turns = given.filter(Array.isArray).flat().map(readEntry);
  const previous = readRecord(given.find((value) => !Array.isArray(value)));
  const latestRequest = turns.findLastIndex(({ role }) => role === 'user');
  const requests = turns.filter(({ role }) => role === 'user').map(({ text }) => text);

  const statements = [...recordStatements(previous), ...statementsIn(turns)];
  const openBefore = previous.items.filter(({ list }) => list === 'unresolved');
  const asked = [...openBefore.map(({ text }) => text), ...requests.flatMap(questionsIn)];
  const answerTo = (question: string) => findAnswer(question, statements);

  const progress = previous.items.filter(({ text }) => text.startsWith(progressLabel));
  const steps = [
    ...(latestRequest === -1 ? finishedSteps(previous) : []),
    ...turns.slice(Math.max(latestRequest, 0)).flatMap(({ calls }) => calls.map(subjectOf)),
  ];
  const remarks = requests.flatMap(remarksIn);

  return {
    summary: narrative(previous.narrative, turns, characterLimit(prompt)),
    keyPoints: [
      ...(steps.length > 0 ? [progressLabel + steps.map((step) => `\`${step}\``).join(', ')] : []),
      ...asked.flatMap((question) => answerTo(question) ?? []),
    ],
    context: {
      participants: ['user', 'assistant'],
      decisions: remarks.filter((remark) => /\b(decided|agreed)\b/i.test(remark)),
      actionItems: remarks.flatMap((remark) => {
        const [, task, due] = /^remind me to (.+?) ((?:before|after|by) .+)\.$/i.exec(remark) ?? [];
        return task ? [{ owner: 'assistant', task: `remind the user to ${task}`, due }] : [];
      }),
      unresolved: asked.filter((question) => answerTo(question) === undefined),
      domainEntities: requests.flatMap((request) =>
        requestedCalls(request).flatMap(({ input }) => input['path'] ?? []),
      ),
      constraints: remarks.filter((remark) => /\b(never|always|must|only)\b/i.test(remark)),
    },
    resolved: openBefore.filter(({ text }) => answerTo(text) !== undefined).map(({ id }) => id),
    superseded: steps.length > 0 ? progress.map(({ id }) => id) : [],
  };
}

/** Tells what came before and what was asked and done since; the middle goes when it gets too long. */
function narrative(before: string, turns: readonly Turn[], maxChars: number): string {
  const told = [...sentences(before)];
  for (const { role, text, calls } of turns) {
    if (role === 'user') told.push(`The user asked: "${sentences(text)[0]}"`);
    if (calls.length === 0) continue;
    const last = told.at(-1) ?? '';
    const subjects = calls.map(subjectOf).join(', ');
    if (!last.startsWith('The assistant looked at ')) {
      told.push(`The assistant looked at ${subjects}.`);
    } else told.splice(-1, 1, `${last.slice(0, -1)}, ${subjects}.`);
  }
  while (told.length > 2 && told.join(' ').length > maxChars) told.splice(1, 1);
  return told.join(' ').slice(0, maxChars) || 'Nothing was said.';
}

/** The length the prompt asks for. */
function characterLimit(prompt: string): number {
  return Number(/under (\d+) characters/.exec(prompt)?.[1] ?? 600);
}

function readEntry(entry: unknown): Turn {
  const { role, text, calls } = asObject(entry);
  return {
    role: String(role),
    text: typeof text === 'string' ? text : '',
    calls: Object.values(asObject(calls)).map((call) => {
      const { name, input } = asObject(call);
      return { name: String(name), input: asObject(jsonLines(String(input))[0]) };
    }),
  };
}
