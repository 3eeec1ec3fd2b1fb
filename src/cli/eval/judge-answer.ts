import judgePrompt from '../../../prompts/eval-judge.md' with { type: 'text' };
import type { WrappedModel } from '../../prompt/prompt-types.ts';
import { readTemplate } from '../../prompts/read-template.ts';
import { objectsIn } from '../../strategies/models/summary-answer.ts';
import type { EvalQuestion } from './questions/eval-conversation.ts';
import { spoken, userMessage } from './methods/spoken.ts';

/** What a judge is instructed with. */
export const judgeInstructions: string = readTemplate(judgePrompt).text.trim();

/**
 * Has a model judge an answer. The answer stands in JSON, which it cannot end; nothing but `yes` and `no` in
 * the asked form is a verdict.
 */
export async function judgeAnswer(
  judge: WrappedModel,
  { question, type, reference, isUnanswerable: unanswerable }: EvalQuestion,
  answer: string,
): Promise<'yes' | 'no' | undefined> {
  const given = JSON.stringify({ question, type, reference, unanswerable, answer });
  const said = spoken(
    await judge.doGenerate({
      prompt: [{ role: 'system', content: judgeInstructions }, userMessage(given)],
      responseFormat: { type: 'json', name: 'verdict', schema },
    }),
  );
  return verdictIn(said);
}

const schema = {
  type: 'object',
  properties: { verdict: { type: 'string', enum: ['yes', 'no'] } },
  required: ['verdict'],
  additionalProperties: false,
} as const;

function verdictIn(text: string): 'yes' | 'no' | undefined {
  const [found] = objectsIn(text);
  const { verdict } = found?.isWhole === true ? found.value : {};
  return verdict === 'yes' || verdict === 'no' ? verdict : undefined;
}
