import { basename } from 'node:path';
import { contentOf, written, type Terminal } from './command/terminal.ts';
import { knownContext } from './command/known-context.ts';
import { wrong } from './command/options.ts';
import { budgetOf } from './eval/budget.ts';
import { callGate } from './eval/call-gate.ts';
import { chooseQuestions } from './eval/questions/choose-questions.ts';
import { readEvaluation } from './eval/questions/read-evaluation.ts';
import type { EvalArguments } from './eval/eval-arguments.ts';
import { openJournal, type Journal } from './eval/journal.ts';
import { loadModel } from './command/load-model.ts';
import { evalHtmlReport } from './eval/report/eval-html-report.ts';
import { evalTerminalReport } from './eval/report/eval-terminal-report.ts';
import { countsOf, figuresOf, type Evaluation } from './eval/report/evaluation.ts';
import type { Setting } from './eval/setting.ts';
import { runEvaluation } from './eval/run-evaluation.ts';

/**
 * Evaluates methods on the conversations and questions of a file.
 *
 * @returns whether nothing is left undone.
 * @throws {CommandError} for what the user can mend.
 */
export async function evaluate(given: EvalArguments, terminal: Terminal): Promise<boolean> {
  const read = await readEvaluation(await contentOf(given.file, terminal.stdin));
  const conversations = await chooseQuestions(read, given.questions);
  const journal = openJournal(given.journal);
  const questions = conversations.reduce((sum, each) => sum + each.questions.length, 0);
  const setting = await settingOf(given, journal, progressOf(given, questions, journal, terminal));
  const found = await runEvaluation(conversations, setting);
  terminal.progress('');
  const outcomes = found.flatMap((strand) => strand.outcomes);
  const evaluation: Evaluation = {
    file: given.file === '-' ? 'standard input' : basename(given.file),
    model: given.model,
    judge: given.judge,
    contextLength: setting.contextLength,
    runs: given.runs,
    conversations: conversations.length,
    questions,
    paid: given.price && journal.paid,
    undone: countsOf(outcomes.map(({ undone }) => undone)),
    tooLong: countsOf(outcomes.map(({ answer }) => answer?.tooLong)),
    methods: figuresOf(found, given),
    outcomes,
  };
  const report = given.json
    ? JSON.stringify(evaluation, undefined, 2)
    : evalTerminalReport(evaluation);
  terminal.write(`${report}\n`);
  if (given.html !== undefined) await written(given.html, evalHtmlReport(evaluation));
  return outcomes.every(({ undone }) => undone === undefined);
}

/** Room for the answer and reasoning of a model that nobody has said more of. */
const usualOutput = 8000;

async function settingOf(
  given: EvalArguments,
  journal: Journal,
  onQuestion: () => void,
): Promise<Setting> {
  const model = await loadModel(given.model, given.provider);
  const contextLength = given.context ?? knownContext(given.model, model);
  const { maxOutput = Math.min(usualOutput, Math.floor(contextLength / 4)) } = given;
  // The middleware keeps half of the context for the prompt: with less the methods would not have the same room.
  const mostOutput = Math.floor(contextLength / 2);
  if (maxOutput > mostOutput)
    throw wrong('--max-output', String(maxOutput), `at most half of the context, ${mostOutput}`);
  return {
    given,
    contextLength,
    maxOutputTokens: maxOutput,
    model,
    judge: await loadModel(given.judge, given.provider),
    journal,
    budget: budgetOf(given.maxCost ?? Infinity, journal.paid.all),
    gate: callGate(given.concurrency),
    onQuestion,
  };
}

function progressOf(
  { methods, runs, price }: EvalArguments,
  questions: number,
  { paid }: Journal,
  terminal: Terminal,
): () => void {
  const total = questions * methods.length * runs;
  let done = 0;
  return () => {
    done += 1;
    const dollars = price === undefined ? '' : `, $${paid.all.toFixed(2)} paid`;
    terminal.progress(`answer ${done} of ${total}${dollars}`);
  };
}
