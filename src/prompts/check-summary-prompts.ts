import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkTemplate } from './check-template.ts';
import type { TemplateVariable } from './fill-template.ts';
import type { SummarizationPrompts, SummaryPrompts } from './summarization-prompts.ts';

const names = ['system', 'first', 'update', 'rebase'] as const satisfies (keyof SummaryPrompts)[];
const optional: readonly TemplateVariable[] = ['context', 'max_chars', 'prior_summary'];

/**
 * Checks the option `prompts.summary`.
 *
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function checkSummaryPrompts(
  given: SummarizationPrompts['summary'] = 'default',
  onWarning?: (message: string) => void,
): void {
  if (given === 'default') return;
  if (typeof given === 'string') {
    checkTemplate(given, { option: 'prompts.summary', required: ['content'], optional, onWarning });
    return;
  }
  checkShape(given);
  const check = (
    name: keyof SummaryPrompts,
    template: string | undefined,
    required: readonly TemplateVariable[],
  ): void => {
    if (template === undefined || template === 'default') return;
    checkTemplate(template, { option: `prompts.summary.${name}`, required, optional, onWarning });
  };
  check('first', given.first, ['content']);
  check('update', given.update, ['content', 'prior_summary']);
  check('rebase', given.rebase, ['content', 'prior_summary']);
}

function checkShape(given: unknown): void {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  const wrong = isObject
    ? Object.entries(given).find(
        ([name, text]) =>
          !names.some((known) => known === name) || (text !== undefined && typeof text !== 'string'),
      )
    : undefined;
  if (isObject && wrong === undefined) return;
  throw new SummarizationOptionError({
    option: wrong === undefined ? 'prompts.summary' : `prompts.summary.${wrong[0]}`,
    value: wrong === undefined ? given : wrong[1],
    allowed: `'default', a string with {content}, or an object of strings named ${names.join(', ')}`,
  });
}
