import rollingPrompt from '../../../../prompts/eval-rolling-summary.md' with { type: 'text' };
import type { Message } from '../../../prompt/prompt-types.ts';
import { readTemplate } from '../../../prompts/read-template.ts';
import { callsOf } from '../../formats/calls-of.ts';
import { spoken, userMessage } from './spoken.ts';
import { roomOf, type Method } from './method.ts';
import { newestFrom, tokensOfEach } from './newest-from.ts';

/**
 * A rolling summary as applications write it themselves: where the prompt outgrows its share, the model puts all
 * but the newest messages in one text, which stands for them from then on.
 */
export const rollingSummary: Method = async (input) => {
  const { prompt, model, onSummary } = input;
  const most = roomOf(input);
  const systems = prompt.filter(({ role }) => role === 'system');
  const others = prompt.filter(({ role }) => role !== 'system');
  const tokens = await tokensOfEach(others);
  let summary: readonly Message[] = [];
  let summaryTokens = 0;
  let start = 0;
  for (const end of callsOf(others)) {
    const recent = tokens.slice(start, end);
    if (summaryTokens + recent.reduce((sum, each) => sum + each, 0) <= most) continue;
    const cut = start + newestFrom(others.slice(start, end), recent, most / 2);
    const old = [...systems, ...summary, ...others.slice(start, cut)];
    const text = spoken(await model.doGenerate({ prompt: [...old, userMessage(instruction)] }));
    if (text === '') throw new Error('The model wrote an empty summary.');
    summary = [userMessage(`Summary of our conversation so far:\n\n${text}`)];
    [summaryTokens = 0] = await tokensOfEach(summary);
    start = cut;
    onSummary(false);
  }
  const kept = [...systems, ...summary, ...others.slice(start)];
  return (question) => model.doGenerate({ prompt: [...kept, question] });
};

const instruction = readTemplate(rollingPrompt).text.trim();
