import { checkInput, checkObject, checkTexts } from '../checks/check-object.ts';
import { anyFunction, anyObject, rule, type OptionRule } from '../checks/option-rule.ts';
import type { SummarizationPrompts } from '../prompts/summarization-prompts.ts';
import { isObject } from '../util/is-object.ts';
import { loadPromptTemplates } from './load-prompt-templates.ts';
import { readOptions, type ReadOptions } from './read-options.ts';
import { shownJson, warnUnknown } from './read-section.ts';
import type { StoreMakers } from './read-store.ts';
import { strategyNames, type StrategyMakers } from './read-strategy.ts';
import { readTextFile } from './read-text-file.ts';
import { settingSections } from '../options/settings.ts';
import { templateRules, type TemplateFolderOptions } from './template-folders.ts';
import { emitWarning, type OnWarning } from './template-source.ts';

/** Options of {@link loadSettings}. */
export interface LoadSettingsOptions extends TemplateFolderOptions {
  /**
   * Strategies of your own that the file may name, such as what `defineStrategy` returns. Each is given the
   * file's section `strategies.<name>`; an option that it refuses is warned of and left out.
   * @default {}
   */
  readonly strategies?: StrategyMakers | undefined;
  /**
   * Stores beside `"memory"` that the file may name. Each is given the file's `store.url`.
   * @default {}
   */
  readonly stores?: StoreMakers | undefined;
  /**
   * Told about each value that could not be used.
   * @default process.emitWarning
   */
  readonly onWarning?: OnWarning | undefined;
}

/** Settings of a file as options of `summarizationMiddleware`. */
export interface LoadedSettings extends Omit<ReadOptions, 'messageFilter' | 'prompts'> {
  /** Absent where a strategy of your own is named. */
  readonly messageFilter?: ReadOptions['messageFilter'] | undefined;
  /** Absent where a strategy of your own is named. */
  readonly prompts?: SummarizationPrompts | undefined;
}

/**
 * Reads a `settings.json` as {@link ensureSettings} writes it. A file that is missing or broken, and a
 * value that is missing or wrong, count as their defaults, with a warning that names key, value and what is
 * allowed. Templates are read as by `loadPromptTemplates`.
 *
 * @throws {SummarizationOptionError} when the path is no string or is empty, or an option is wrong.
 *
 * @example
 * ```ts
 * ensureSettings('.ai-sdk-summarization/settings.json');
 * summarizationMiddleware(loadSettings('.ai-sdk-summarization/settings.json', { strategies: { topics } }));
 * ```
 */
export function loadSettings(path: string, options: LoadSettingsOptions = {}): LoadedSettings {
  checkInput(options, 'onWarning, strategies, stores and folders, or nothing');
  checkObject(options, { strategies: anyObject(), stores: anyObject(), ...templateRules }, '');
  checkTexts({ path }, 'a string that is not empty');
  const { onWarning = emitWarning, strategies = {}, stores = {}, ...folders } = options;
  checkMakers('strategies', strategies, strategyNames);
  checkMakers('stores', stores, ['memory']);
  const missing: string[] = [];
  const onMissing = (setting: string): void => void missing.push(setting);
  const file = { path, settings: readSettings(path, onWarning), onWarning, onMissing };
  const read = readOptions(file, { strategies, stores });
  const { messageFilter, prompts, ...others } = read;
  if (missing.length > 0)
    onWarning(`${path}: missing, so that their defaults count: ${missing.join(', ')}.`);
  if (typeof others.strategy === 'object') {
    const given = [...Object.values(messageFilter), ...Object.values(prompts)];
    if (given.some((value) => !['full', 'default', 500].includes(value)))
      onWarning(
        `${path}: message_filter and summary_prompts have no effect beside the strategy ${shownJson(others.strategy.name)}, which has options of its own.`,
      );
    return others;
  }
  return {
    ...others,
    messageFilter,
    prompts: loadPromptTemplates({ ...folders, onWarning, prompts }),
  };
}

function checkMakers(option: string, makers: object, taken: readonly string[]): void {
  const refused: OptionRule = rule('a name that the package does not have itself', () => false);
  const names = Object.keys(makers);
  const rules = names.map((name) => [name, taken.includes(name) ? refused : anyFunction()]);
  checkObject(makers, Object.fromEntries(rules), `${option}.`);
}

type Values = Readonly<Record<string, unknown>>;

/** What the file holds; `undefined` when it could not be read, which has been said. */
function readSettings(path: string, onWarning: OnWarning): Values | undefined {
  const file = readTextFile(path);
  let reason = file.ok ? 'it is not a JSON object' : file.reason;
  try {
    const settings: unknown = file.ok ? JSON.parse(file.text) : undefined;
    if (isObject(settings)) {
      const { $schema: _ofEditors, ...others } = settings;
      warnUnknown({ path, onWarning }, others, Object.keys(settingSections()));
      return settings;
    }
  } catch (error) {
    // Not the whole message: it quotes the file, which may hold the password of a store.
    const [place = ''] = / at position \d+ \(line \d+ column \d+\)/.exec(String(error)) ?? [];
    reason = `it is not JSON${place}`;
  }
  onWarning(`${path}: ${reason}; the default settings are used.`);
  return undefined;
}
