import {
  anyFunction,
  anyString,
  integer,
  optionsOf,
  valueOrOptions,
  rule,
  type OptionRule,
} from '../../foundations/checks/option-rule.ts';
import { holdsOnce, type TemplateVariable } from './template.ts';

/** The four texts a summarizing model is instructed with. */
export interface SummaryPrompts {
  /** The system prompt. It is sent as it is: variables are not replaced. */
  readonly system: string;
  /** User message of a first summary: `{content}`, `{context}`, limits `{max_words}`, `{max_chars}`, `{max_items}`. */
  readonly first: string;
  /** Template of a summary that continues another one, with `{prior_summary}` too. */
  readonly update: string;
  /** Template of a summary that is rewritten from the items of the previous one, with the variables of `update`. */
  readonly rebase: string;
}

/**
 * The texts models are instructed with. Each is `'default'` (the package's own) or a text.
 * Files are read by `loadPromptTemplates` of the `./node` entry.
 *
 * A text holds `{content}` exactly once. Variables are replaced in one pass: inserted text is never expanded again.
 * `{{` and `}}` are literal braces; unknown variables stay as they are. The values of `{content}`, `{context}` and
 * `{prior_summary}` are JSON, so that no message can end its place in the template.
 */
export interface SummarizationPrompts {
  /**
   * Template of the summary. A text is the user message of every request: without `{prior_summary}`, it follows the
   * previous record. An object replaces the named texts only.
   * @default 'default'
   */
  readonly summary?: string | Partial<SummaryPrompts> | undefined;
  /**
   * Condenses a tool's output. `{context}` is the tool's name and input.
   * @default 'default'
   */
  readonly toolResults?: string | undefined;
  /**
   * Condenses a message of the user.
   * @default 'default'
   */
  readonly userMessages?: string | undefined;
  /**
   * Condenses a message of the assistant.
   * @default 'default'
   */
  readonly agentMessages?: string | undefined;
  /**
   * UTF-16 characters a condensed message may have; shorter messages are not condensed. Minimum: 10.
   * @default 500
   */
  readonly maxSummaryChars?: number | undefined;
  /**
   * Returns all prompts as they are now. Called before each summary; an event names those that have changed.
   * `loadPromptTemplates` sets it to read its files again. A copy of its result is plain texts, without `reload`.
   * @default the prompts never change
   */
  readonly reload?: (() => SummarizationPrompts) | undefined;
}

/** The prompts as they are used: every text in place. */
export interface ResolvedPrompts {
  readonly summary: SummaryPrompts;
  readonly toolResults: string;
  readonly userMessages: string;
  readonly agentMessages: string;
  readonly maxSummaryChars: number;
}

/** Default length of the longest condensed message, in characters: about 125 tokens of English. */
export const defaultSummaryChars = 500;

/** Characters below which a condensed message could not hold a word and its `…`. */
export const leastSummaryChars = 10;

/** Accepts `'default'`, or a text that holds each of some variables exactly once. */
export function templateRule(
  allowed: string,
  ...required: readonly TemplateVariable[]
): OptionRule<string> {
  return rule(
    allowed,
    (value) => value === 'default' || (typeof value === 'string' && holdsOnce(value, required)),
  );
}

const once = "'default' or a string with {content} exactly once";
const continued = "'default' or a string with {content} and {prior_summary} exactly once";

/** Rule of the option `prompts`. */
export function promptsRule(): OptionRule<SummarizationPrompts> {
  const message = templateRule(once, 'content');
  const summary = valueOrOptions(
    templateRule(`${once}, or an object of strings named system, first, update, rebase`, 'content'),
    optionsOf<Partial<SummaryPrompts>>({
      system: anyString,
      first: message,
      update: templateRule(continued, 'content', 'prior_summary'),
      rebase: templateRule(continued, 'content', 'prior_summary'),
    }),
  );
  const maxSummaryChars = integer(leastSummaryChars);
  return optionsOf<SummarizationPrompts>(
    {
      summary,
      toolResults: message,
      userMessages: message,
      agentMessages: message,
      maxSummaryChars,
      reload: anyFunction(),
    },
    { allowed: 'an object of templates' },
  );
}
