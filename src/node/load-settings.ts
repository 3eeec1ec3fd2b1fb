import { checked, checkInput, checkTexts } from '../checks/check-object.ts';
import {
  anyFunction,
  anyObject,
  hasFunctions,
  rule,
  type OptionRule,
} from '../checks/option-rule.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { ProviderOverrides } from '../options/provider-overrides.ts';
import { settingSections } from '../options/settings.ts';
import type { SummarizationOptions } from '../options/summarization-options.ts';
import { holdsRequired } from '../prompts/check-template.ts';
import type { SummarizationPrompts } from '../prompts/summarization-prompts.ts';
import { storeRule, type GivenStore } from '../stores/summary-store.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import { loadPromptTemplates } from './load-templates.ts';
import {
  accepts,
  openSettings,
  ownValue,
  quotedList,
  readSection,
  sectionOf,
  shownJson,
  shownName,
  warnUnknown,
  withoutNotes,
  type SettingsFile,
} from './settings-file.ts';
import {
  emitWarning,
  folderRules,
  isPath,
  type OnWarning,
  type TemplateFolderOptions,
} from './template-files.ts';

/** Makes a strategy from its section of a settings file, whose wrong values it refuses. */
export type StrategyMaker = (options: Readonly<Record<string, unknown>>) => SummaryStrategy;

/** Strategies of a program by their names. */
export type StrategyMakers = Readonly<Record<string, StrategyMaker>>;

/** Makes a store from the address that a settings file gives. */
export type StoreMaker = (url: string) => GivenStore;

/** Stores of a program by their names. */
export type StoreMakers = Readonly<Record<string, StoreMaker>>;

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

const strategyNames = ['llm', 'rule-based', 'heuristic', 'none'] as const;

/** A strategy that the package has itself. */
export type StrategyName = (typeof strategyNames)[number];

/** Settings of a file as options of `summarizationMiddleware`; without what a strategy of your own does not read. */
export type LoadedSettings = Pick<
  SummarizationOptions,
  | 'enabled'
  | 'strategy'
  | 'triggerTokenRatio'
  | 'resetTokenRatio'
  | 'tokenThreshold'
  | 'turnThreshold'
  | 'condenseToolResults'
  | 'maxSummaryTokens'
  | 'preserveUserTurns'
  | 'debug'
  | 'providers'
  | 'store'
  | 'messageFilter'
  | 'prompts'
>;

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
  const rules = { strategies: anyObject(), stores: anyObject(), ...folderRules };
  checkInput(options, 'onWarning, strategies, stores and folders, or nothing', rules);
  checkTexts({ path }, 'a string that is not empty');
  const { onWarning = emitWarning, strategies = {}, stores = {}, ...folders } = options;
  checkMakers('strategies', strategies, strategyNames);
  checkMakers('stores', stores, ['memory']);
  const file = openSettings(path, onWarning);
  const named = readSection(file, 'summarisation', {
    strategy: nameRule([...strategyNames, ...Object.keys(strategies)], 'strategies'),
  });
  const messageFilter: object = Object.fromEntries(optionsOf(readSection(file, 'message_filter')));
  const prompts: SummarizationPrompts = Object.fromEntries(
    optionsOf(readSection(file, 'summary_prompts', templateRules)),
  );
  const store = readSection(file, 'store', {
    name: nameRule(['memory', ...Object.keys(stores)], 'stores'),
  });
  const strategy = strategyOf(file, String(named['strategy']), strategies);
  const set = Object.entries(named).filter(([, value]) => value !== 'off' && value !== 'auto');
  const given: LoadedSettings = Object.fromEntries([
    ...optionsOf(Object.fromEntries(set)),
    ['strategy', strategy],
  ]);
  const read: LoadedSettings = {
    ...given,
    resetTokenRatio: keptReset(file, 'summarisation', given),
    providers: providersOf(file, given),
    store: storeOf(file, String(store['name']), String(store['url']), stores),
  };
  if (file.missing.length > 0)
    file.warn(`missing, so that their defaults count: ${file.missing.join(', ')}.`);
  if (typeof strategy === 'string')
    return {
      ...read,
      messageFilter,
      prompts: loadPromptTemplates({ ...folders, onWarning, prompts }),
    };
  const unread: unknown[] = [...Object.values(messageFilter), ...Object.values(prompts)];
  if (unread.some((value) => value !== 'full' && value !== 'default' && value !== 500))
    file.warn(
      `message_filter and summary_prompts have no effect beside the strategy ${shownJson(strategy.name)}, which has options of its own.`,
    );
  return read;
}

function checkMakers(option: string, makers: object, taken: readonly string[]): void {
  const refused: OptionRule = rule('a name that the package does not have itself', () => false);
  for (const [name, make] of Object.entries(makers))
    checked(taken.includes(name) ? refused : anyFunction(), make, `${option}.${name}`);
}

function nameRule(names: readonly string[], option: string): OptionRule {
  const allowed = `${quotedList(names)}, and what the program gives loadSettings as ${option}`;
  return rule(allowed, (value) => names.some((name) => name === value));
}

const templateRule = rule(
  '"default", the path of a file in those folders, or a string that holds {content} once',
  (value) =>
    typeof value === 'string' &&
    (value === 'default' || holdsRequired(value, ['content']) || isPath(value, ['content'])),
);

const templateRules = {
  summary: templateRule,
  tool_results: templateRule,
  user_messages: templateRule,
  agent_messages: templateRule,
};

/** Settings under the names of options. */
function optionsOf(settings: Readonly<Record<string, unknown>>): readonly unknown[][] {
  return Object.entries(settings).map(([name, value]) => [
    name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
}

/** The overrides of the section `providers`, by provider or model. What is wrong is left out with a warning. */
function providersOf(
  file: SettingsFile,
  { triggerTokenRatio }: ProviderOverrides,
): Readonly<Record<string, ProviderOverrides>> {
  const { settings: known } = settingSections().providers;
  const read = Object.entries(sectionOf(file, 'providers') ?? {}).map(
    ([name, values]): unknown[] => {
      const section = `providers.${shownName(name)}`;
      if (!accepts(file, anyObject(), section, values) || !isObject(values)) return [name, {}];
      warnUnknown(file, values, Object.keys(known), `${section}.`);
      const right = Object.entries(known).flatMap(([setting, { rule: allowed }]): unknown[][] => {
        const value = ownValue(values, setting);
        const isRight =
          value !== undefined && accepts(file, allowed, `${section}.${setting}`, value);
        return isRight ? [[setting, value]] : [];
      });
      const overrides: ProviderOverrides = Object.fromEntries(optionsOf(Object.fromEntries(right)));
      const { triggerTokenRatio: trigger } = overrides;
      const reset = keptReset(file, section, { triggerTokenRatio, ...overrides });
      // As far from its own trigger as the defaults are: that of all may not be below it.
      const resetTokenRatio = reset ?? (trigger === undefined ? undefined : trigger * 0.875);
      return [name, { ...overrides, resetTokenRatio }];
    },
  );
  return Object.fromEntries(read);
}

/** A reset ratio, unless it is not below the trigger ratio, which is warned of. */
function keptReset(
  file: SettingsFile,
  section: string,
  { triggerTokenRatio = 1, resetTokenRatio }: ProviderOverrides,
): number | undefined {
  if (resetTokenRatio === undefined) return undefined;
  const below = rule(
    `a number below trigger_token_ratio, which is ${triggerTokenRatio}`,
    () => resetTokenRatio < triggerTokenRatio,
  );
  const isKept = accepts(file, below, `${section}.reset_token_ratio`, resetTokenRatio);
  return isKept ? resetTokenRatio : undefined;
}

/** The store of a name; `undefined` for `"memory"`, which takes the place of one that cannot be made, with a warning. */
function storeOf(
  { warn }: SettingsFile,
  name: string,
  url: string,
  makers: StoreMakers,
): GivenStore | undefined {
  try {
    const store = ownValue(makers, name)?.(url);
    return store === undefined ? undefined : checked<GivenStore>(storeRule, store, 'store');
  } catch (error) {
    const reason = messageOf(error);
    // An address may hold a password.
    const shown = url === '' ? reason : reason.replaceAll(url, 'store.url');
    warn(`store.name ${JSON.stringify(name)} makes no store: ${shown}; "memory" is used.`);
    return undefined;
  }
}

/**
 * The strategy of a name. A program's own one is made with its section; an option that it refuses is left out
 * with a warning, and where it cannot be made at all, `'llm'` takes its place with another.
 */
function strategyOf(
  file: SettingsFile,
  name: string,
  makers: StrategyMakers,
): StrategyName | SummaryStrategy {
  const all = sectionOf(file, 'strategies') ?? {};
  warnUnknown(file, all, Object.keys(makers), 'strategies.');
  const maker = ownValue(makers, name);
  if (maker === undefined) return strategyNames.find((each) => each === name) ?? 'llm';
  const section = `strategies.${shownName(name)}`;
  const given = ownValue(all, name);
  if (given !== undefined && !isObject(given))
    file.warn(`${section} is ${shownJson(given)}, not an object; its defaults are used.`);
  const options = new Map(Object.entries(isObject(given) ? withoutNotes(given) : {}));
  for (;;) {
    try {
      const strategy: unknown = maker(Object.fromEntries(options));
      if (isStrategy(strategy)) return strategy;
      throw new TypeError('it made no object with a name and a summarize function');
    } catch (error) {
      const [wrong] = SummarizationOptionError.isInstance(error) ? error.option.split('.') : [];
      if (wrong === undefined || !options.delete(wrong)) {
        file.warn(`${section} makes no strategy: ${messageOf(error)}; "llm" is used.`);
        return 'llm';
      }
      file.warn(`${section}.${wrong} has no effect: ${messageOf(error)}`);
    }
  }
}

function isStrategy(value: unknown): value is SummaryStrategy {
  return isObject(value) && typeof value['name'] === 'string' && hasFunctions(value, 'summarize');
}
