import { flag, integer, type OptionRule } from '../checks/option-rule.ts';
import { defaultSummaryChars, leastSummaryChars } from '../prompts/check-prompts.ts';
import { holdsRequired } from '../prompts/check-template.ts';
import { isPath } from './template-source.ts';

/** What one value of `settings.json` may be. */
export interface SettingRule<Value> extends OptionRule {
  /** Taken when the value is missing or wrong. */
  readonly fallback: Value;
  /** What it does, for the generated file. */
  readonly meaning: string;
}

/** Rules of a section. */
export type SettingRules<Section> = {
  readonly [Name in keyof Section]: SettingRule<Section[Name]>;
};

/** Who may be named as the strategy. */
export type StrategyName = 'llm' | 'rule-based' | 'heuristic' | 'none';

const atLeastOne = integer(1);

const limit: OptionRule = {
  allowed: `${atLeastOne.allowed}, or "off"`,
  accepts: (value) => value === 'off' || atLeastOne.accepts(value),
};

const template: OptionRule = {
  allowed: '"default", the path of a file in those folders, or a string that holds {content} once',
  accepts: (value) =>
    typeof value === 'string' &&
    (value === 'default' || holdsRequired(value, ['content']) || isPath(value, ['content'])),
};

function setting<Value>(rule: OptionRule, fallback: Value, meaning: string): SettingRule<Value> {
  return { ...rule, fallback, meaning };
}

function templateSetting(fileName: string, meaning: string): SettingRule<string> {
  const where = `"default" is ${fileName} in the folder .ai-sdk-summarization/prompts of the project, else of the home folder, else the built-in text.`;
  return setting(template, 'default', `${meaning} ${where}`);
}

const strategies: ReadonlySet<unknown> = new Set(['llm', 'rule-based', 'heuristic', 'none']);

const oneStrategy: OptionRule = {
  allowed: '"llm", "rule-based", "heuristic" or "none"',
  accepts: (value) => strategies.has(value),
};

/** Rules of the section `summarisation`. */
export const summarisationRules: SettingRules<{
  readonly enabled: boolean;
  readonly strategy: StrategyName;
  readonly token_threshold: number | 'off';
  readonly turn_threshold: number | 'off';
  readonly preserve_user_turns: boolean;
  readonly debug: boolean;
}> = {
  enabled: setting(flag, true, 'Whether anything is summarised.'),
  strategy: setting(
    oneStrategy,
    'llm',
    'Who writes summaries: a model ("llm"), code without a model ("rule-based", also called "heuristic"), or nobody ("none").',
  ),
  token_threshold: setting(limit, 2048, 'Summarise from this many tokens on.'),
  turn_threshold: setting(limit, 10, 'Summarise after this many messages of the user.'),
  preserve_user_turns: setting(
    flag,
    false,
    "Whether the user's own recent texts are repeated word for word beside the summary.",
  ),
  debug: setting(flag, false, 'Whether each summarisation writes a line to the console.'),
};

/** Rules of the section `summary_prompts`. */
export const summaryPromptRules: SettingRules<{
  readonly tool_results: string;
  readonly user_messages: string;
  readonly agent_messages: string;
  readonly max_summary_chars: number;
}> = {
  tool_results: templateSetting('tool_results.md', "What condenses a tool's output."),
  user_messages: templateSetting('user_messages.md', 'What condenses a message of the user.'),
  agent_messages: templateSetting(
    'agent_messages.md',
    'What condenses a message of the assistant.',
  ),
  max_summary_chars: setting(
    integer(leastSummaryChars),
    defaultSummaryChars,
    'Characters a condensed message may have.',
  ),
};

/** The defaults of a section. */
export function defaultsOf<Section>(rules: SettingRules<Section>): Section {
  const entries = Object.entries<SettingRule<unknown>>(rules);
  return Object.fromEntries(entries.map(([name, { fallback }]): unknown[] => [name, fallback]));
}
