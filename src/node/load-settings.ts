import { checkInput, checkTexts } from '../checks/check-object.ts';
import type { SummarizationPrompts } from '../prompts/summarization-prompts.ts';
import { isObject } from '../util/is-object.ts';
import { loadPromptTemplates } from './load-prompt-templates.ts';
import { readTextFile } from './read-text-file.ts';
import {
  defaultsOf,
  summarisationRules,
  summaryPromptRules,
  type SettingRule,
  type SettingRules,
  type StrategyName,
} from './setting-rules.ts';
import type { TemplateFolderOptions } from './template-folders.ts';
import { emitWarning, type OnWarning } from './template-source.ts';

/** Options of {@link loadSettings}. */
export interface LoadSettingsOptions extends TemplateFolderOptions {
  /**
   * Told about each value that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: OnWarning | undefined;
}

/** Settings of a file as options of `summarizationMiddleware`. */
export interface LoadedSettings {
  readonly enabled: boolean;
  readonly strategy: StrategyName;
  /** `undefined` when the file says `"off"`. */
  readonly tokenThreshold: number | undefined;
  /** `undefined` when the file says `"off"`. */
  readonly turnThreshold: number | undefined;
  readonly preserveUserTurns: boolean;
  readonly debug: boolean;
  readonly prompts: SummarizationPrompts;
}

/**
 * Reads a `settings.json` as {@link ensureSettings} writes it. A file that is missing or broken, and a
 * value that is missing or wrong, count as their defaults, with a warning that names key and value.
 * Templates are read as by `loadPromptTemplates`.
 *
 * @throws {SummarizationOptionError} when the path is no string or is empty.
 *
 * @example
 * ```ts
 * ensureSettings('.ai-sdk-summarization/settings.json');
 * summarizationMiddleware(loadSettings('.ai-sdk-summarization/settings.json'));
 * ```
 */
export function loadSettings(path: string, options: LoadSettingsOptions = {}): LoadedSettings {
  checkInput(options, 'onWarning and folders, or nothing');
  checkTexts({ path }, 'a string that is not empty');
  const { onWarning = emitWarning, ...folders } = options;
  const settings = readSettings(path, onWarning);
  const source = { path, settings, onWarning };
  const summarisation = readSection(source, 'summarisation', summarisationRules);
  const { token_threshold: tokens, turn_threshold: turns } = summarisation;
  const texts = readSection(source, 'summary_prompts', summaryPromptRules);
  const prompts = {
    toolResults: texts.tool_results,
    userMessages: texts.user_messages,
    agentMessages: texts.agent_messages,
    maxSummaryChars: texts.max_summary_chars,
  };
  return {
    enabled: summarisation.enabled,
    strategy: summarisation.strategy,
    tokenThreshold: tokens === 'off' ? undefined : tokens,
    turnThreshold: turns === 'off' ? undefined : turns,
    preserveUserTurns: summarisation.preserve_user_turns,
    debug: summarisation.debug,
    prompts: loadPromptTemplates({ ...folders, onWarning, prompts }),
  };
}

type Values = Readonly<Record<string, unknown>>;

/** What the file holds; `undefined` when it could not be read, which has been said. */
function readSettings(path: string, onWarning: OnWarning): Values | undefined {
  const file = readTextFile(path);
  let reason = file.ok ? 'it is not a JSON object' : file.reason;
  try {
    const settings: unknown = file.ok ? JSON.parse(file.text) : undefined;
    if (isObject(settings)) {
      warnUnknown(settings, ['summarisation', 'summary_prompts'], `${path}: `, onWarning);
      return settings;
    }
  } catch {
    reason = 'it is not JSON';
  }
  onWarning(`${path}: ${reason}; the default settings are used.`);
  return undefined;
}

interface SectionSource {
  readonly path: string;
  readonly settings: Values | undefined;
  readonly onWarning: OnWarning;
}

/** Reads a section: a value that is missing or wrong is its default, with a warning that names key and value. */
function readSection<Section>(
  { path, settings, onWarning }: SectionSource,
  section: string,
  rules: SettingRules<Section>,
): Section {
  if (settings === undefined) return defaultsOf(rules);
  const values = own(settings, section);
  if (!isObject(values)) {
    const what = values === undefined ? 'is missing' : `is ${shownJson(values)}, not an object`;
    onWarning(`${path}: ${section} ${what}; its defaults are used.`);
    return defaultsOf(rules);
  }
  warnUnknown(values, Object.keys(rules), `${path}: ${section}.`, onWarning);
  const read = Object.entries<SettingRule<unknown>>(rules).map(([name, rule]): unknown[] => {
    const value = own(values, name);
    if (rule.accepts(value)) return [name, value];
    const what = value === undefined ? 'is missing' : `is ${shownJson(value)}`;
    onWarning(
      `${path}: ${section}.${name} ${what}; ${JSON.stringify(rule.fallback)} is used. Allowed is ${rule.allowed}.`,
    );
    return [name, rule.fallback];
  });
  return Object.fromEntries(read);
}

/** Warns about keys that mean nothing, as a mistyped one would pass unseen; those that begin with `_` are notes. */
function warnUnknown(
  values: Values,
  known: readonly string[],
  prefix: string,
  onWarning: OnWarning,
): void {
  for (const name of Object.keys(values)) {
    if (name.startsWith('_') && name !== '__proto__') continue;
    if (known.includes(name)) continue;
    onWarning(
      `${prefix}${shownJson(name).slice(1, -1)} is ${shownJson(values[name])}, and no setting of that name is known; it has no effect.`,
    );
  }
}

function own(values: Values, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Escaped and shortened: a file may hold anything. */
function shownJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 120 ? `${json.slice(0, 120)}...` : json;
}
