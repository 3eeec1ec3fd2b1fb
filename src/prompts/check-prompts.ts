import { checkIsObject, checkObject } from '../checks/check-object.ts';
import { anyString, integer, type OptionRule } from '../checks/option-rule.ts';
import { isObject } from '../util/is-object.ts';
import { checkTemplate } from './check-template.ts';
import type { TemplateVariable } from './fill-template.ts';
import type {
  MessageTemplate,
  ResolvedPrompts,
  SummarizationPrompts,
  SummaryPrompts,
} from './summarization-prompts.ts';

/** Longest condensed message where none is given, in characters: about 125 tokens of English. */
export const defaultSummaryChars = 500;

/** Below this a condensed message could not hold a word and its `…`. */
export const leastSummaryChars = 10;

const anyTemplate: OptionRule = {
  allowed: "'default', a string with {content}, or { text } with one",
  accepts: (value) =>
    typeof value === 'string' || (isObject(value) && typeof value['text'] === 'string'),
};

const summaryRules: Readonly<Record<keyof SummaryPrompts, OptionRule>> = {
  system: anyString,
  first: anyString,
  update: anyString,
  rebase: anyString,
};

const promptRules: Readonly<Record<keyof SummarizationPrompts, OptionRule>> = {
  summary: {
    allowed: `'default', a string with {content}, or an object of strings named ${Object.keys(summaryRules).join(', ')}`,
    accepts: (value) => typeof value === 'string' || isObject(value),
  },
  toolResults: anyTemplate,
  userMessages: anyTemplate,
  agentMessages: anyTemplate,
  maxSummaryChars: integer(leastSummaryChars),
};

type TemplateName = 'toolResults' | 'userMessages' | 'agentMessages';

/** The texts that were given in the place of `'default'`. */
export type GivenPrompts = Pick<SummarizationPrompts, 'summary'> &
  Pick<ResolvedPrompts, 'maxSummaryChars'> &
  Readonly<Record<TemplateName, string | undefined>>;

/**
 * Checks the prompts that were given. Knows nothing of the built-in texts, which load with the first
 * summary.
 *
 * @param onWarning - Told once for each template that holds unknown variables.
 * @throws SummarizationOptionError naming the option, its value and what is allowed.
 */
export function checkPrompts(
  prompts: SummarizationPrompts = {},
  onWarning?: (message: string) => void,
): GivenPrompts {
  checkIsObject(prompts, 'prompts', `an object with ${Object.keys(promptRules).join(', ')}`);
  checkObject(prompts, promptRules, 'prompts.');
  const { summary, maxSummaryChars = defaultSummaryChars } = prompts;
  checkSummaryPrompts(summary, onWarning);
  const textOf = (name: TemplateName): string | undefined => {
    const given: string | MessageTemplate = prompts[name] ?? 'default';
    if (given === 'default') return undefined;
    const text = typeof given === 'string' ? given : given.text;
    const optional = ['context', 'max_chars'] as const;
    checkTemplate(text, { option: `prompts.${name}`, required: ['content'], optional, onWarning });
    return text;
  };
  return {
    summary,
    toolResults: textOf('toolResults'),
    userMessages: textOf('userMessages'),
    agentMessages: textOf('agentMessages'),
    maxSummaryChars,
  };
}

function checkSummaryPrompts(
  given: SummarizationPrompts['summary'] = 'default',
  onWarning?: (message: string) => void,
): void {
  const optional = ['context', 'max_chars', 'prior_summary'] as const;
  const check = (
    option: string,
    text: string | undefined,
    ...required: readonly TemplateVariable[]
  ): void => {
    if (text === undefined || text === 'default') return;
    checkTemplate(text, { option, required, optional, onWarning });
  };
  if (typeof given === 'string') return check('prompts.summary', given, 'content');
  checkObject(given, summaryRules, 'prompts.summary.');
  check('prompts.summary.first', given.first, 'content');
  check('prompts.summary.update', given.update, 'content', 'prior_summary');
  check('prompts.summary.rebase', given.rebase, 'content', 'prior_summary');
}
