import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { findAnswer } from './find-answer.ts';
import {
  ignorance,
  questionsIn,
  requestedCalls,
  statementsIn,
  subjectOf,
  type EmbeddedTurn,
} from './reading.ts';
import { finishedSteps, recordStatements } from './known-record.ts';
import { readPrompt } from './read-prompt.ts';

/**
 * Decides what the agent does next. It knows its prompt and nothing else: the latest user message says
 * what to do, visible messages and the summary record say what has been done and found.
 */
export function agentTurn(prompt: LanguageModelV4Prompt): EmbeddedTurn {
  const { record, turns } = readPrompt(prompt);
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
