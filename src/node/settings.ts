import { dirname, relative, resolve, sep } from 'node:path';
import { z } from 'zod/v4';
import { checked, checkOptions, checkTexts } from '../checks/check-object.ts';
import {
  anyFunction,
  anyString,
  flag,
  hasFunctions,
  integer,
  oneOf,
  recordOf,
  type OptionRule,
} from '../checks/option-rule.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { overrideRules } from '../options/provider-overrides.ts';
import { optionsSchema } from '../options/read-options.ts';
import { optionRules, type SummarizationOptions } from '../options/summarization-options.ts';
import { leastSummaryChars } from '../prompts/summarization-prompts.ts';
import { storeRule, type GivenStore } from '../stores/summary-store.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { messageOf } from '../util/errors.ts';
import { isObject } from '../util/is-object.ts';
import { readTextFile, writeNewFile } from './files.ts';
import {
  emitWarning,
  folderRules,
  loadPromptTemplates,
  type TemplateFolderOptions,
} from './templates.ts';

type Values = Readonly<Record<string, unknown>>;

/** A value of a settings file: what it is for, its default, and a word that says that its option is not set. */
type Setting = readonly [meaning: string, fallback?: unknown, word?: string];

/** A section of a settings file: its settings by their names, whose options have the same names in camel case. */
export interface SettingSection {
  readonly meaning: string;
  /** The option that its settings are parts of. @default they are options themselves */
  readonly option?: string;
  /** Whether it holds such settings for each of the names in it. */
  readonly isByName?: true;
  readonly settings: Readonly<Record<string, Setting>>;
}

const modes = 'all of it ("full"), a condensed text ("summary"), or that it was there ("omit")';
const texts =
  '"default" (the file of that name in the folder .ai-sdk-summarization/prompts of the project, else of the home folder, else the built-in text), the path of a file in those folders, or a text that holds {content} once';

type SectionName =
  | 'summarisation'
  | 'message_filter'
  | 'summary_prompts'
  | 'providers'
  | 'store'
  | 'strategies';

/** The sections of a settings file, in their order. */
export const settingSections: Readonly<Record<SectionName, SettingSection>> = {
  summarisation: {
    meaning: 'When and by whom conversations are summarised.',
    settings: {
      enabled: ['Whether anything is summarised.', true],
      strategy: ['Who writes summaries: a model, code, nobody, or one of the program.', 'llm'],
      trigger_token_ratio: ['Summarise from this share of what the model accepts on.', 0.8],
      reset_token_ratio: ['Aim at this share or less, below trigger_token_ratio.', 0.7],
      token_threshold: ['Summarise from this many tokens on.', 2048, 'off'],
      turn_threshold: ['Summarise after this many messages of the user.', 10, 'off'],
      condense_tool_results: ['Whether facts take the place of old tool outputs first.', false],
      max_summary_tokens: ['Tokens a summary may take.', 'auto', 'auto'],
      preserve_user_turns: ["Whether the user's own recent texts are repeated.", false],
      debug: ['Whether each summarisation writes a line to the console.', false],
    },
  },
  message_filter: {
    meaning: `What the summariser reads of each type of message: ${modes}.`,
    option: 'messageFilter',
    settings: {
      tool_results: ['Of outputs of tools. Their calls are always read.', 'full'],
      user_messages: ['Of messages of the user.', 'full'],
      agent_messages: ['Of messages of the assistant.', 'full'],
    },
  },
  summary_prompts: {
    meaning: `What summarising models are instructed with: ${texts}.`,
    option: 'prompts',
    settings: {
      summary: ['What the summary is asked for with: summarize-*.md.', 'default'],
      tool_results: ["What condenses a tool's output: tool_results.md.", 'default'],
      user_messages: ['What condenses a message of the user: user_messages.md.', 'default'],
      agent_messages: ['What condenses one of the assistant: agent_messages.md.', 'default'],
      max_summary_chars: ['Characters a condensed message may have.', 500],
    },
  },
  providers: {
    meaning:
      'What differs for a provider ("anthropic") or a model ("openai:gpt-5"), the most specific first.',
    option: 'providers',
    isByName: true,
    settings: {
      context_length: ['Tokens the model accepts.'],
      trigger_token_ratio: ['As in summarisation.'],
      reset_token_ratio: ['As in summarisation.'],
      preserve_recent: ['Messages kept word for word at the end, at least.'],
      preserve_recent_token_ratio: ['More of them, while they fit in this share.'],
      placement: ['Where the summary goes.'],
      token_multiplier: ['Tokens of the model for one of o200k.'],
    },
  },
  store: {
    meaning: 'Where summaries are kept.',
    settings: {
      name: ['"memory", or a store of the program by its name.', 'memory'],
      url: ['Its address, as that store takes it; "memory" needs none.', ''],
    },
  },
  strategies: {
    meaning: "Options of the program's own strategies, by their names.",
    isByName: true,
    settings: {},
  },
};

/** What a setting may be. What only the program knows, its own strategies and stores, is any text. */
export function ruleOf(section: string, name: string, [, fallback, word]: Setting): OptionRule {
  if (section === 'message_filter') return oneOf('full', 'summary', 'omit');
  if (name === 'max_summary_chars') return integer(leastSummaryChars);
  if (section === 'store' || section === 'summary_prompts') return anyString;
  if (name === 'strategy')
    return z.union([z.enum(['llm', 'rule-based', 'heuristic', 'none']), z.string()], 'a string');
  if (typeof fallback === 'boolean') return flag;
  const rules = { ...optionRules(), ...overrideRules() };
  const option: OptionRule = Reflect.get(rules, camelCase(name));
  const either = `${allowedBy(option)}, or "${word}"`;
  return word === undefined ? option : z.union([option, z.literal(word)], either);
}

function allowedBy(option: OptionRule): string {
  return option.safeParse(undefined).error?.issues[0]?.message ?? '';
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

const comment =
  'Settings of ai-sdk-summarization. Keys that begin with _ are notes and have no effect; a value that is missing or wrong counts as its default, with a warning. Changes are read when the program starts.';

/**
 * Writes a `settings.json` that holds every default and explains it, unless there is a file already.
 * Folders that do not exist are made. Its `$schema` is the one of the package in the working directory's
 * `node_modules`, so that editors complete and check it.
 *
 * @returns Whether the file was written.
 * @throws {SummarizationOptionError} when the path is no string or is empty; what the file system throws,
 * other than for a file that exists.
 */
export function ensureSettings(path: string): boolean {
  checkTexts({ path }, 'a string that is not empty');
  const schema = resolve('node_modules/ai-sdk-summarization/settings.schema.json');
  const content: Record<string, unknown> = {
    $schema: relative(dirname(resolve(path)), schema).replaceAll(sep, '/'),
    _comment: comment,
  };
  for (const [section, { meaning, settings, isByName }] of Object.entries(settingSections)) {
    const help: Record<string, string> = {};
    const values: Record<string, unknown> = {};
    for (const [name, setting] of Object.entries(settings)) {
      const [what, fallback] = setting;
      const whenMissing = fallback === undefined ? 'as for all' : JSON.stringify(fallback);
      help[name] =
        `${what} Allowed: ${allowedBy(ruleOf(section, name, setting))}. Default: ${whenMissing}.`;
      values[name] = fallback;
    }
    content[section] = { _comment: meaning, _help: help, ...(isByName === true ? {} : values) };
  }
  return writeNewFile(path, `${JSON.stringify(content, null, 2)}\n`);
}

/** Options of {@link loadSettings}. */
export interface LoadSettingsOptions extends TemplateFolderOptions {
  /**
   * Strategies of your own that the file may name, such as what `defineStrategy` returns. Each is given the
   * file's section `strategies.<name>`; an option that it refuses is warned of and left out.
   * @default {}
   */
  readonly strategies?: Readonly<Record<string, (options: Values) => SummaryStrategy>> | undefined;
  /**
   * Stores beside `"memory"` that the file may name. Each is given the file's `store.url`.
   * @default {}
   */
  readonly stores?: Readonly<Record<string, (url: string) => GivenStore>> | undefined;
}

/**
 * Reads a `settings.json` as {@link ensureSettings} writes it. A file that is missing or broken, and a
 * value that is missing or wrong, count as their defaults, with a warning that names key, value and what is
 * allowed. Templates are read as by `loadPromptTemplates`.
 *
 * @returns Options of `summarizationMiddleware`; without what a strategy of your own does not read.
 * @throws {SummarizationOptionError} when the path is no string or is empty, or an option is wrong.
 *
 * @example
 * ```ts
 * ensureSettings('.ai-sdk-summarization/settings.json');
 * summarizationMiddleware(loadSettings('.ai-sdk-summarization/settings.json', { strategies: { topics } }));
 * ```
 */
export function loadSettings(
  path: string,
  options: LoadSettingsOptions = {},
): SummarizationOptions {
  const makers = recordOf('an object of functions', anyFunction());
  const rules = { strategies: makers, stores: makers, ...folderRules };
  checkOptions(options, 'onWarning, strategies, stores and folders, or nothing', rules);
  checkTexts({ path }, 'a string that is not empty');
  const { onWarning = emitWarning, strategies = {}, stores = {}, ...folders } = options;
  const warn: Warn = (message) => onWarning(`${path}: ${message}`);
  const section = readSections(path, warn);
  const own = (name: SectionName): Values => optionsOf(name, section(name));
  const { strategy: writer, ...settings } = own('summarisation');
  const strategy = strategyOf(writer, section('strategies'), strategies, warn);
  const [messageFilter, prompts] = [own('message_filter'), own('summary_prompts')];
  const isNamed = typeof strategy === 'string';
  const providers = Object.entries(section('providers')).map(([name, values]): unknown[] => [
    name,
    isObject(values) ? optionsOf('providers', values) : values,
  ]);
  const given = {
    ...settings,
    strategy,
    store: storeOf(section('store'), stores, warn),
    providers: Object.fromEntries(providers),
    // A strategy of the program has options of its own, and is told so where there are some.
    ...((isNamed || Object.keys(messageFilter).length > 0) && { messageFilter }),
    ...((isNamed || Object.keys(prompts).length > 0) && {
      prompts: isNamed ? loadPromptTemplates({ ...folders, onWarning, prompts }) : prompts,
    }),
  };
  return withoutFaults(given, warn);
}

type Warn = (message: string) => void;

/** Reads what is known of the sections of a file; warns of what is missing, and of keys that mean nothing. */
function readSections(file: string, warn: Warn): (section: SectionName) => Values {
  const { text, reason: fault } = { reason: 'it is not a JSON object', ...readTextFile(file) };
  let reason = fault;
  let content: unknown;
  try {
    content = text === undefined ? undefined : JSON.parse(text);
  } catch (error) {
    // Not the whole message: it quotes the file, which may hold the password of a store.
    const [place = ''] = / at position \d+ \(line \d+ column \d+\)/.exec(String(error)) ?? [];
    reason = `it is not JSON${place}`;
  }
  const read = new Map<string, Values>();
  const missing: string[] = [];
  if (!isObject(content)) {
    warn(`${reason}; the default settings are used.`);
    return () => ({});
  }
  const { $schema: _ofEditors, ...sections } = content;
  const given = knownOf(sections, settingSections, '', warn);
  for (const [section, { settings, isByName }] of Object.entries(settingSections)) {
    const values = given[section];
    if (!isObject(values)) {
      if (values === undefined) missing.push(section);
      else warn(`${section} is ${shown(values)}, not an object; its defaults are used.`);
    } else if (isByName === true) {
      const known = Object.entries(withoutNotes(values)).map(([name, each]) => {
        const prefix = `${section}.${shownName(name)}.`;
        const isKnown = section === 'providers' && isObject(each);
        return [name, isKnown ? knownOf(each, settings, prefix, warn) : each];
      });
      read.set(section, Object.fromEntries(known));
    } else {
      const known = knownOf(values, settings, `${section}.`, warn);
      read.set(section, known);
      for (const [name, [, fallback]] of Object.entries(settings))
        if (known[name] === undefined)
          missing.push(`${section}.${name} (${JSON.stringify(fallback)})`);
    }
  }
  if (missing.length > 0) warn(`missing, so that their defaults count: ${missing.join(', ')}.`);
  return (section) => read.get(section) ?? {};
}

/** The values whose keys mean something; the others are warned of, as a mistyped one would pass unseen. */
function knownOf(values: Values, known: object, prefix: string, warn: Warn): Values {
  const names = Object.keys(known).map((name) => JSON.stringify(name));
  const instead = names.length === 0 ? 'none is known there' : `known are ${names.join(', ')}`;
  const entries = Object.entries(withoutNotes(values)).filter(([name, value]) => {
    const path = prefix + shownName(name);
    const isKnown = Object.hasOwn(known, name);
    if (!isKnown)
      warn(
        `${path} is ${shownAs(path, value)}, and no setting of that name is known; it has no effect: ${instead}.`,
      );
    return isKnown;
  });
  return Object.fromEntries(entries);
}

/** Settings of a section under the names of options; defaults of a part of an option are those of the option. */
function optionsOf(section: SectionName, values: Values): Values {
  const { settings, option } = settingSections[section];
  const entries = Object.entries(settings).flatMap(([name, [, fallback, word]]): unknown[][] => {
    const value = Object.hasOwn(values, name) ? values[name] : fallback;
    const isUnset =
      value === undefined || value === word || (option !== undefined && value === fallback);
    return isUnset ? [] : [[camelCase(name), value]];
  });
  return Object.fromEntries(entries);
}

/** The options where what the middleware would refuse has given way to its default, with a warning. */
function withoutFaults(options: Record<string, unknown>, warn: Warn): SummarizationOptions {
  for (;;) {
    const issue = optionsSchema().safeParse(options).error?.issues[0];
    if (issue === undefined) return options;
    const path = issue.path.map(String);
    const name = path.at(-1) ?? '';
    const holder = path.slice(0, -1).reduce((value, each) => Object(value[each]), options);
    const value = holder[name];
    const [section, { settings, option }] = Object.entries(settingSections).find(
      ([, each]) => each.option === path[0],
    ) ?? ['summarisation', settingSections.summarisation];
    const setting = Object.keys(settings).find((each) => camelCase(each) === name);
    const [, fallback, word] = settings[setting ?? ''] ?? [];
    const within =
      option === undefined
        ? []
        : path.slice(1, setting === undefined ? undefined : -1).map(shownName);
    const shownPath = [section, ...within, ...(setting === undefined ? [] : [setting])].join('.');
    if (value === undefined) {
      if (name !== 'resetTokenRatio') return options;
      // As far from the trigger of its provider as the defaults are: that of all may not be below it.
      holder['resetTokenRatio'] = 0.875 * Number(holder['triggerTokenRatio']);
      continue;
    }
    const isUsed = fallback !== undefined && value !== fallback;
    if (isUsed && fallback !== word) holder[name] = fallback;
    else delete holder[name];
    const instead = isUsed ? `${JSON.stringify(fallback)} is used` : 'it has no effect';
    warn(`${shownPath} is ${shown(value)}; ${instead}. Allowed is ${issue.message}.`);
  }
}

/** The store of a name; `undefined` for `"memory"`, which takes the place of one that cannot be made, with a warning. */
function storeOf(
  { name = 'memory', url = '' }: Values,
  makers: NonNullable<LoadSettingsOptions['stores']>,
  warn: Warn,
): GivenStore | undefined {
  const known = ['memory', ...Object.keys(makers)];
  const address = typeof url === 'string' ? url : '';
  if (address !== url)
    warn(`store.url is ${shownAs('store.url', url)}; "" is used. Allowed is a string.`);
  const maker = known.find((each) => each === name);
  if (maker === undefined)
    warn(
      `store.name is ${shown(name)}; "memory" is used. Allowed is ${known.map(shown).join(' or ')}, and what the program gives loadSettings as stores.`,
    );
  try {
    const store = makers[maker ?? 'memory']?.(address);
    return store === undefined ? undefined : checked<GivenStore>(storeRule, store, 'store');
  } catch (error) {
    // An address may hold a password.
    const reason =
      address === '' ? messageOf(error) : messageOf(error).replaceAll(address, 'store.url');
    warn(`store.name ${shown(name)} makes no store: ${reason}; "memory" is used.`);
    return undefined;
  }
}

/**
 * The strategy of a name, which is returned where it is none of the program's. One of those is made with its section; an
 * option that it refuses is left out with a warning, and where it cannot be made at all, `'llm'` takes its place with another.
 */
function strategyOf(
  name: unknown,
  sections: Values,
  makers: NonNullable<LoadSettingsOptions['strategies']>,
  warn: Warn,
): unknown {
  const all = knownOf(sections, makers, 'strategies.', warn);
  const [, maker] = Object.entries(makers).find(([each]) => each === name) ?? [];
  if (maker === undefined) return name;
  const section = `strategies.${shownName(String(name))}`;
  const given = all[String(name)] ?? {};
  if (!isObject(given))
    warn(`${section} is ${shown(given)}, not an object; its defaults are used.`);
  const options = new Map(Object.entries(isObject(given) ? withoutNotes(given) : {}));
  for (;;) {
    try {
      const strategy: unknown = maker(Object.fromEntries(options));
      if (isStrategy(strategy)) return strategy;
      throw new TypeError('it made no object with a name and a summarize function');
    } catch (error) {
      const [wrong] = SummarizationOptionError.isInstance(error) ? error.option.split('.') : [];
      if (wrong === undefined || !options.delete(wrong)) {
        warn(`${section} makes no strategy: ${messageOf(error)}; "llm" is used.`);
        return 'llm';
      }
      warn(`${section}.${wrong} has no effect: ${messageOf(error)}`);
    }
  }
}

function isStrategy(value: unknown): value is SummaryStrategy {
  return isObject(value) && typeof value['name'] === 'string' && hasFunctions(value, 'summarize');
}

/** Without the keys that begin with `_`. */
function withoutNotes(values: Values): Values {
  const named = Object.entries(values);
  return Object.fromEntries(
    named.filter(([name]) => !name.startsWith('_') || name === '__proto__'),
  );
}

/** The address of a store may hold a password. */
function shownAs(path: string, value: unknown): string {
  const mayHoldSecret = path.startsWith('store.') && path !== 'store.name';
  return mayHoldSecret ? `a value that is not shown (${typeof value})` : shown(value);
}

/** Escaped and shortened: a file may hold anything. */
function shown(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 120 ? `${json.slice(0, 120)}...` : json;
}

/** A name of a file, escaped and shortened. */
function shownName(name: string): string {
  return shown(name).slice(1, -1);
}
