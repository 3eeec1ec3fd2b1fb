import { defaultSummaryChars, leastSummaryChars } from '../prompts/check-prompts.ts';
import { holdsRequired } from '../prompts/check-template.ts';
import { isPath } from './template-source.ts';

/** What one value of `settings.json` may be. */
export interface SettingRule<Value> {
  /** Taken when the value is missing or wrong. */
  readonly fallback: Value;
  /** What it does, for the generated file. */
  readonly meaning: string;
  /** What is taken, in words. */
  readonly allowed: string;
  readonly accepts: (value: unknown) => value is Value;
}

/** Who may be named as the strategy. */
export type StrategyName = 'llm' | 'rule-based' | 'heuristic' | 'none';

function flagRule(fallback: boolean, meaning: string): SettingRule<boolean> {
  return {
    fallback,
    meaning,
    allowed: 'a boolean',
    accepts: (value) => typeof value === 'boolean',
  };
}

function integerRule(fallback: number, minimum: number, meaning: string): SettingRule<number> {
  return {
    fallback,
    meaning,
    allowed: `an integer of at least ${minimum}`,
    accepts: (value): value is number => Number.isSafeInteger(value) && Number(value) >= minimum,
  };
}

function limitRule(fallback: number, meaning: string): SettingRule<number | 'off'> {
  const number = integerRule(fallback, 1, meaning);
  return {
    ...number,
    allowed: `${number.allowed}, or "off"`,
    accepts: (value): value is number | 'off' => value === 'off' || number.accepts(value),
  };
}

function templateRule(fileName: string, meaning: string): SettingRule<string> {
  return {
    fallback: 'default',
    meaning: `${meaning} "default" is ${fileName} in the folder .ai-sdk-summarization/prompts of the project, else of the home folder, else the built-in text.`,
    allowed:
      '"default", the path of a file in those folders, or a string that holds {content} once',
    accepts: (value): value is string =>
      typeof value === 'string' &&
      (value === 'default' || holdsRequired(value, ['content']) || isPath(value, ['content'])),
  };
}

const strategies: ReadonlySet<unknown> = new Set(['llm', 'rule-based', 'heuristic', 'none']);

/** Rules of the section `summarisation`. */
export const summarisationRules: {
  readonly enabled: SettingRule<boolean>;
  readonly strategy: SettingRule<StrategyName>;
  readonly token_threshold: SettingRule<number | 'off'>;
  readonly turn_threshold: SettingRule<number | 'off'>;
  readonly preserve_user_turns: SettingRule<boolean>;
  readonly debug: SettingRule<boolean>;
} = {
  enabled: flagRule(true, 'Whether anything is summarised.'),
  strategy: {
    fallback: 'llm',
    meaning:
      'Who writes summaries: a model ("llm"), code without a model ("rule-based", also called "heuristic"), or nobody ("none").',
    allowed: '"llm", "rule-based", "heuristic" or "none"',
    accepts: (value): value is StrategyName => strategies.has(value),
  },
  token_threshold: limitRule(2048, 'Summarise from this many tokens on.'),
  turn_threshold: limitRule(10, 'Summarise after this many messages of the user.'),
  preserve_user_turns: flagRule(
    false,
    "Whether the user's own recent texts are repeated word for word beside the summary.",
  ),
  debug: flagRule(false, 'Whether each summarisation writes a line to the console.'),
};

/** Rules of the section `summary_prompts`. */
export const summaryPromptRules: {
  readonly tool_results: SettingRule<string>;
  readonly user_messages: SettingRule<string>;
  readonly agent_messages: SettingRule<string>;
  readonly max_summary_chars: SettingRule<number>;
} = {
  tool_results: templateRule('tool_results.md', "What condenses a tool's output."),
  user_messages: templateRule('user_messages.md', 'What condenses a message of the user.'),
  agent_messages: templateRule('agent_messages.md', 'What condenses a message of the assistant.'),
  max_summary_chars: integerRule(
    defaultSummaryChars,
    leastSummaryChars,
    'Characters a condensed message may have.',
  ),
};
