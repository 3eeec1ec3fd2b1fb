import continuePrompt from '../../prompts/summarize-continue.md' with { type: 'text' };
import firstPrompt from '../../prompts/summarize-first.md' with { type: 'text' };
import rebasePrompt from '../../prompts/summarize-rebase.md' with { type: 'text' };
import systemPrompt from '../../prompts/summarize-system.md' with { type: 'text' };
import updatePrompt from '../../prompts/summarize-update.md' with { type: 'text' };
import { fillTemplate, variablesOf } from './fill-template.ts';
import type { SummarizationPrompts, SummaryPrompts } from './summarization-prompts.ts';

const builtIn: SummaryPrompts = {
  system: systemPrompt,
  first: firstPrompt,
  update: updatePrompt,
  rebase: rebasePrompt,
};

/** The four texts of a summary request from the option `prompts.summary`, which has been checked. */
export function resolveSummaryPrompts(
  given: SummarizationPrompts['summary'] = 'default',
): SummaryPrompts {
  if (given === 'default') return builtIn;
  if (typeof given === 'string') {
    const continued = continuedText(given);
    return { ...builtIn, first: given, update: continued, rebase: continued };
  }
  const texts = Object.entries(given).filter(
    ([, text]) => text !== undefined && text !== 'default',
  );
  return { ...builtIn, ...Object.fromEntries(texts) };
}

/** A caller's one text, with the previous record above it and what the lists of an update mean below. */
function continuedText(text: string): string {
  if (!variablesOf(text).includes('prior_summary')) {
    return fillTemplate(continuePrompt, { content: text });
  }
  const [, lists = ''] = continuePrompt.split('{content}');
  return text + lists;
}
