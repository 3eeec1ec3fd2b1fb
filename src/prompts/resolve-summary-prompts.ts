import continuePrompt from '../../prompts/summarize-continue.md' with { type: 'text' };
import firstPrompt from '../../prompts/summarize-first.md' with { type: 'text' };
import rebasePrompt from '../../prompts/summarize-rebase.md' with { type: 'text' };
import systemPrompt from '../../prompts/summarize-system.md' with { type: 'text' };
import updatePrompt from '../../prompts/summarize-update.md' with { type: 'text' };
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkTemplate } from './check-template.ts';
import { fillTemplate, variablesOf, type TemplateVariable } from './fill-template.ts';
import type { SummarizationPrompts, SummaryPrompts } from './summarization-prompts.ts';

const builtIn: SummaryPrompts = {
  system: systemPrompt,
  first: firstPrompt,
  update: updatePrompt,
  rebase: rebasePrompt,
};
const optional: readonly TemplateVariable[] = ['context', 'max_chars', 'prior_summary'];

/**
 * The four texts of a summary request from the option `prompts.summary`.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function resolveSummaryPrompts(
  given: SummarizationPrompts['summary'] = 'default',
  onWarning?: (message: string) => void,
): SummaryPrompts {
  if (given === 'default') return builtIn;
  if (typeof given === 'string') {
    checkTemplate(given, { option: 'prompts.summary', required: ['content'], optional, onWarning });
    const continued = continuedText(given);
    return { ...builtIn, first: given, update: continued, rebase: continued };
  }
  checkShape(given);
  const { first, update, rebase } = given;
  const check = (
    name: keyof SummaryPrompts,
    template: string | undefined,
    required: readonly TemplateVariable[],
  ): void => {
    if (template === undefined || template === 'default') return;
    checkTemplate(template, { option: `prompts.summary.${name}`, required, optional, onWarning });
  };
  check('first', first, ['content']);
  check('update', update, ['content', 'prior_summary']);
  check('rebase', rebase, ['content', 'prior_summary']);
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

function checkShape(given: unknown): void {
  const names = Object.keys(builtIn);
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const wrong = isObject
    ? Object.entries(given).find(
        ([name, text]) =>
          !names.includes(name) || (text !== undefined && typeof text !== 'string'),
      )
    : undefined;
  if (isObject && wrong === undefined) return;
  throw new SummarizationOptionError({
    option: wrong === undefined ? 'prompts.summary' : `prompts.summary.${wrong[0]}`,
    value: wrong === undefined ? given : wrong[1],
    allowed: `'default', a text with {content}, or an object of texts named ${names.join(', ')}`,
  });
}
