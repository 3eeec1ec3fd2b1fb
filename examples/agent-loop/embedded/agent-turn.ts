import type { LanguageModelV4Message, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { findAnswer } from './find-answer.ts';
import {
  ignorance,
  questionsIn,
  requestedCalls,
  statementsIn,
  subjectOf,
  type Call,
  type Turn,
} from './reading.ts';
import {
  asObject,
  finishedSteps,
  jsonLines,
  readRecord,
  recordStatements,
} from './known-record.ts';

const envelope = /\[summary-depth:\d+\][^]*?\[\/summary-depth:\d+\]/;

/**
 * Decides what the agent does next. It knows its prompt and nothing else: the latest user message says
 * what to do, visible messages and the summary record say what has been done and found.
 */
export function agentTurn(prompt: LanguageModelV4Prompt): {
  readonly text: string;
  readonly call?: Call | undefined;
} {
  const given = prompt.flatMap(readMessage);
  const summary = given.map(({ text }) => envelope.exec(text)?.[0]).find(Boolean);
  const record = readRecord(jsonLines(summary ?? '')[0]);
  const turns = given
    .filter(({ role }) => role !== 'system')
    .map(({ role, text, calls }): Turn => ({ role, text: text.replace(envelope, ''), calls }));

  const request = turns.findLast(({ role }) => role === 'user')?.text ?? '';
  const finished = new Set([
    ...turns.flatMap(({ calls }) => calls.map(subjectOf)),
    ...finishedSteps(record),
  ]);
  const call = requestedCalls(request).find((step) => !finished.has(subjectOf(step)));
  if (call) return { text: `Next: \`${subjectOf(call)}\`.`, call };

  const statements = [...recordStatements(record), ...statementsIn(turns)];
  const answers = questionsIn(request).map(
    (question) => `- ${findAnswer(question, statements) ?? `${ignorance}: ${question}`}`,
  );
  return { text: answers.join('\n') || 'Done.' };
}

/** One turn for a message, one for each result of a tool message. */
function readMessage(message: LanguageModelV4Message): Turn[] {
  const { role, content } = message;
  if (role === 'system') return [{ role, text: content, calls: [] }];
  const texts = content.flatMap((part) => (part.type === 'text' ? part.text : []));
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? { name: part.toolName, input: asObject(part.input) } : [],
  );
  const results = content.flatMap((part): Turn[] => {
    if (part.type !== 'tool-result' || !('value' in part.output)) return [];
    const { value } = part.output;
    return [{ role, text: typeof value === 'string' ? value : JSON.stringify(value), calls: [] }];
  });
  return role === 'tool' ? results : [{ role, text: texts.join('\n'), calls }];
}
