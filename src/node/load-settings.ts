import { checkInput } from '../checks/check-object.ts';
import { checkTexts } from '../checks/check-texts.ts';
import type { SummarizationPrompts } from '../prompts/summarization-prompts.ts';
import { isObject } from '../util/is-object.ts';
import { loadPromptTemplates } from './load-prompt-templates.ts';
import { readTextFile } from './read-text-file.ts';
import { sectionReader, warnUnknown, type SectionSource } from './section-reader.ts';
import { summarisationRules, summaryPromptRules, type StrategyName } from './setting-rules.ts';
import type { TemplateFolderOptions } from './template-folders.ts';
import { emitWarning, type OnWarning } from './warn.ts';

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
  const source = { path, settings: readSettings(path, onWarning), onWarning };
  const read = sectionReader(source, 'summarisation', summarisationRules);
  const {
    enabled,
    strategy,
    token_threshold: tokens,
    turn_threshold: turns,
    preserve_user_turns: preserveUserTurns,
    debug,
  } = summarisationRules;
  const tokenThreshold = read('token_threshold', tokens);
  const turnThreshold = read('turn_threshold', turns);
  return {
    enabled: read('enabled', enabled),
    strategy: read('strategy', strategy),
    tokenThreshold: tokenThreshold === 'off' ? undefined : tokenThreshold,
    turnThreshold: turnThreshold === 'off' ? undefined : turnThreshold,
    preserveUserTurns: read('preserve_user_turns', preserveUserTurns),
    debug: read('debug', debug),
    prompts: loadPromptTemplates({ ...folders, onWarning, prompts: readPrompts(source) }),
  };
}

function readPrompts(source: SectionSource): SummarizationPrompts {
  const read = sectionReader(source, 'summary_prompts', summaryPromptRules);
  const rules = summaryPromptRules;
  return {
    toolResults: read('tool_results', rules.tool_results),
    userMessages: read('user_messages', rules.user_messages),
    agentMessages: read('agent_messages', rules.agent_messages),
    maxSummaryChars: read('max_summary_chars', rules.max_summary_chars),
  };
}

function readSettings(path: string, onWarning: OnWarning): SectionSource['settings'] {
  const file = readTextFile(path);
  if (!file.ok) {
    onWarning(`${path}: ${file.reason}; the default settings are used.`);
    return undefined;
  }
  let settings: unknown;
  try {
    settings = JSON.parse(file.text);
  } catch {
    onWarning(`${path}: it is not JSON; the default settings are used.`);
    return undefined;
  }
  if (!isObject(settings)) {
    onWarning(`${path}: it is not a JSON object; the default settings are used.`);
    return undefined;
  }
  warnUnknown(settings, ['summarisation', 'summary_prompts'], `${path}: `, onWarning);
  return settings;
}
