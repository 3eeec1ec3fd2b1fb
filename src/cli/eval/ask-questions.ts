import questionPrompt from '../../../prompts/eval-question.md' with { type: 'text' };
import { ContextOverflowError } from '../../errors/context-overflow-error.ts';
import { sha256Hex } from '../../hash/sha256-hex.ts';
import { contextOverflowOf } from '../../overflow/context-overflow.ts';
import { readTemplate } from '../../prompts/read-template.ts';
import { messageOf } from '../../util/errors.ts';
import type { Attempt, Attempted } from './attempts.ts';
import type { Outcome, StrandFindings } from './findings.ts';
import type { Answer, Kept } from './journal.ts';
import { judgeOutcome } from './judge-outcome.ts';
import { meteredModel } from './metered-model.ts';
import type { Ask } from './methods/method.ts';
import { methods, type MethodName } from './methods/methods.ts';
import type { EvalConversation, EvalQuestion } from './questions/eval-conversation.ts';
import type { Setting } from './setting.ts';
import { spoken, userMessage } from './methods/spoken.ts';
import { tally } from './tally.ts';

/** A conversation that a method makes ready, once, for all that is asked about it. */
export interface Strand {
  readonly conversation: EvalConversation;
  /** Hash of its messages. */
  readonly digest: string;
  readonly method: MethodName;
  readonly run: number;
}

/** Asks and judges what the journal does not hold, one question after another. */
export async function askQuestions(
  strand: Strand,
  setting: Setting,
  attempt: Attempt,
): Promise<StrandFindings> {
  const { conversation, method, run } = strand;
  const { journal } = setting;
  const historyKey = await historyKeyOf(strand, setting);
  const questions = await Promise.all(
    conversation.questions.map(async (question) => ({
      question,
      key: await keyOf([historyKey, question.question]),
    })),
  );
  const isDone = questions.every(({ key }) => journal.answers.has(key));
  const ready = isDone ? undefined : await madeReady({ ...strand, historyKey }, setting, attempt);
  const outcomes: Outcome[] = [];
  for (const { question, key } of questions) {
    const known = journal.answers.get(key);
    const answered = known === undefined ? await ready?.(key, question) : { value: known };
    const outcome = { question, method, run };
    if (answered?.undone !== undefined) outcomes.push({ ...outcome, undone: answered.undone });
    else if (answered !== undefined) {
      const { value: answer } = answered;
      if (known === undefined) journal.append(answer);
      outcomes.push(await judgeOutcome({ ...outcome, answer }, setting, attempt));
    }
    setting.onQuestion();
  }
  return { method, history: journal.histories.get(historyKey), outcomes };
}

type Answering = (key: string, question: EvalQuestion) => Promise<Attempted<Kept<'answer'>>>;

/** Has the method make the history ready, and returns how a question behind it is answered. */
async function madeReady(
  { conversation, method, historyKey }: Strand & { readonly historyKey: string },
  setting: Setting,
  attempt: Attempt,
): Promise<Answering> {
  const { contextLength, maxOutputTokens, journal, budget } = setting;
  const { add, onSummary, take } = tally();
  const metering = { ...setting, isJudge: false, price: setting.given.price };
  const model = meteredModel(setting.model, metering, add);
  const prepare = async (): Promise<Ask> => {
    const { prompt } = conversation;
    const ask = await methods[method]({ prompt, model, contextLength, maxOutputTokens, onSummary });
    // Rules take the place of a summariser that the budget stops; then no question is asked either.
    if (!budget.isSpent()) journal.append({ kind: 'history', key: historyKey, ...take() });
    return ask;
  };
  const ready = await attempt(() => orTooLong(prepare), false);
  return async (key, { question }) => {
    if (ready.undone !== undefined) return ready;
    const { value: ask } = ready;
    return attempt(async () => {
      // What failed meanwhile is no part of this answer.
      take();
      const message = userMessage(`${asking}\n\n${question}`);
      const said =
        typeof ask === 'function' ? await orTooLong(async () => textOf(await ask(message))) : ask;
      return { kind: 'answer', key, ...take(), ...said };
    }, true);
  };
}

const asking = readTemplate(questionPrompt).text.trim();

/** Whatever changes a history that was made ready, or its answers, changes the key. */
async function historyKeyOf(
  { digest, method, run }: Strand,
  { given, contextLength, maxOutputTokens }: Setting,
): Promise<string> {
  const { model, provider } = given;
  const options = [model, provider, contextLength, maxOutputTokens, asking];
  return keyOf([digest, method, run, ...options]);
}

async function keyOf(parts: readonly unknown[]): Promise<string> {
  return sha256Hex(JSON.stringify(parts));
}

/** A refusal because of length is a result too: the method does not work there. */
async function orTooLong<Value>(
  work: () => Promise<Value>,
): Promise<Value | { readonly text: ''; readonly tooLong: string }> {
  try {
    return await work();
  } catch (error) {
    const isTooLong = ContextOverflowError.isInstance(error) || contextOverflowOf(error);
    if (!isTooLong) throw error;
    return { text: '', tooLong: messageOf(error) };
  }
}

/** @throws Error where a model has said nothing, which is no answer that could be judged. */
function textOf(result: Awaited<ReturnType<Ask>>): Pick<Answer, 'text'> {
  const text = spoken(result);
  const { unified } = result.finishReason;
  if (text === '') throw new Error(`the model said nothing (finish reason ${unified})`);
  return { text };
}
