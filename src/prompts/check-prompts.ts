import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkSummaryPrompts } from './check-summary-prompts.ts';
import { checkTemplate } from './check-template.ts';
import type { MessageTemplate, SummarizationPrompts } from './summarization-prompts.ts';

/** Longest condensed message where none is given, in characters: about 125 tokens of English. */
export const defaultSummaryChars = 500;

/** Below this a condensed message could not hold its `...` and a word. */
export const leastSummaryChars = 10;

/** The texts that were given in the place of `'default'`. */
export interface GivenPrompts extends Pick<SummarizationPrompts, 'summary'> {
  readonly toolResults: string | undefined;
  readonly userMessages: string | undefined;
  readonly agentMessages: string | undefined;
  readonly maxSummaryChars: number;
}

const names = ['summary', 'toolResults', 'userMessages', 'agentMessages', 'maxSummaryChars'];

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
  checkShape(prompts);
  const { maxSummaryChars = defaultSummaryChars } = prompts;
  if (!Number.isSafeInteger(maxSummaryChars) || maxSummaryChars < leastSummaryChars) {
    throw new SummarizationOptionError({
      option: 'prompts.maxSummaryChars',
      value: maxSummaryChars,
      allowed: `an integer of at least ${leastSummaryChars}`,
    });
  }
  const messageTemplate = (
    name: 'toolResults' | 'userMessages' | 'agentMessages',
  ): string | undefined => {
    const template = templateText(`prompts.${name}`, prompts[name]);
    if (template === undefined) return undefined;
    checkTemplate(template, {
      option: `prompts.${name}`,
      required: ['content'],
      optional: ['context', 'max_chars'],
      onWarning,
    });
    return template;
  };
  checkSummaryPrompts(prompts.summary, onWarning);
  return {
    summary: prompts.summary,
    toolResults: messageTemplate('toolResults'),
    userMessages: messageTemplate('userMessages'),
    agentMessages: messageTemplate('agentMessages'),
    maxSummaryChars,
  };
}

function checkShape(prompts: unknown): void {
  if (typeof prompts !== 'object' || prompts === null || Array.isArray(prompts)) {
    throw new SummarizationOptionError({
      option: 'prompts',
      value: prompts,
      allowed: `an object with ${names.join(', ')}`,
    });
  }
  const unknown = Object.keys(prompts).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  throw new SummarizationOptionError({
    option: `prompts.${unknown}`,
    value: Reflect.get(prompts, unknown),
    allowed: `one of these names: ${names.join(', ')}`,
  });
}

function templateText(
  option: string,
  template: string | MessageTemplate | undefined,
): string | undefined {
  if (template === undefined || template === 'default') return undefined;
  if (typeof template === 'string') return template;
  // Callers without types can give anything.
  const text: unknown = typeof template === 'object' && template !== null ? template.text : template;
  if (typeof text === 'string') return text;
  throw new SummarizationOptionError({
    option,
    value: template,
    allowed: "'default', a string with {content}, or { text } with one",
  });
}
