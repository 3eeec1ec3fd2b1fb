import { dirname, relative, resolve, sep } from 'node:path';
import * as z from 'zod/v4';
import { checkOptions, checkTexts } from '../../foundations/checks/check-object.ts';
import {
  anyFunction,
  anyObject,
  anyString,
  anyText,
  anyBoolean,
  integer,
  numberWithin,
  oneOf,
  optionsOf,
  mapOf,
  type OptionRule,
} from '../../foundations/checks/option-rule.ts';
import { overrideRules } from '../../call/options/provider-overrides.ts';
import { SummarizationOptionError } from '../../foundations/errors/summarization-option-error.ts';
import { optionsSchema } from '../../call/options/read-options.ts';
import {
  defaults,
  optionRules,
  type SummarizationOptions,
} from '../../call/options/summarization-options.ts';
import { leastSummaryChars } from '../../summaries/templates/summarization-prompts.ts';
import type { AcceptedStore } from '../../state/stores/summary-store.ts';
import type { SummaryStrategy } from '../../summaries/strategies/summary-strategy.ts';
import { messageOf } from '../../foundations/util/errors.ts';
import { isObject } from '../../foundations/util/is-object.ts';
import { readTextFile, writeNewFile } from './files.ts';
import {
  emitWarning,
  folderRules,
  loadPromptTemplates,
  type TemplateFolderOptions,
} from './templates.ts';

type Values = Record<string, unknown>;

/** A value of a settings file: what it is for, its default, and the value with which its option is not set. */
type Setting = readonly [meaning: string, fallback?: unknown, unset?: string | number];

/** A section of a settings file: its settings by their names, whose options have the same names in camel case. */
export interface SettingSection {
  readonly meaning: string;
  /** Whether it holds such settings for each of the names in it. */
  readonly isByName?: true;
  readonly settings: Readonly<Record<string, Setting>>;
}

const modes = 'all of it ("full"), a condensed text ("summary"), or that it was there ("omit")';
const texts =
  '"default" (the file of that name in the folder .ai-sdk-summarization/prompts of the project, else of the home folder, else the built-in text), the path of a file in those folders, or a text that holds {content} once';

/** Further settings, each as the option of its name in code. */
const optionNames =
  'context_length min_messages cooldown_messages force_refresh_after_messages ' +
  'max_summary_chain_depth at_max_depth beyond_price_step provider_compaction optimize_for summarizer_input ' +
  'summarizer_model_preference fallback_strategy max_transcript_tokens min_user_turns ' +
  'preserve_error_details abort_on_failure max_wait_ms summary_timeout_ms background ' +
  'preserve_recent preserve_recent_token_ratio placement max_request_bytes max_images ' +
  'max_tool_output_tokens ' +
  'namespace user_quotes encrypt store_timeout_ms retention_ms archive ' +
  'max_summary_calls_per_hour';
const asOptions = Object.fromEntries(
  optionNames
    .split(' ')
    .map((name): [string, Setting] => [name, [`As ${camelCase(name)} in docs/tune.md.`]]),
);

/** The sections of a settings file, in their order. */
export const settingSections: Readonly<Record<string, SettingSection>> = {
  summarisation: {
    meaning: 'The writer of summaries, and when they are made.',
    settings: {
      enabled: ['Whether conversations are summarized.', true],
      strategy: [
        'The writer of summaries: a model, code, none, or a strategy of the program.',
        'llm',
      ],
      trigger_token_ratio: [
        'Summarize at or above this share of the tokens that a prompt may have.',
        0.8,
      ],
      reset_token_ratio: ['Aim at this share or less, below trigger_token_ratio.', 0.7, 0.7],
      token_threshold: ['Summarize at or above this many tokens.', 2048, 'off'],
      turn_threshold: ['Summarize after this many messages of the user.', 10, 'off'],
      condense_tool_results: ['Whether facts take the place of old tool outputs first.', false],
      max_summary_tokens: ['Tokens a summary may take.', 'auto', 'auto'],
      preserve_user_turns: ["Whether the user's own recent texts are repeated.", false],
      debug: ['Whether each summary writes a line to the console.', false],
      ...asOptions,
    },
  },
  message_filter: {
    meaning: `The part of each type of message that a summarizing model reads: ${modes}.`,
    settings: {
      tool_results: ['Outputs of tools. Calls are always read.', 'full'],
      user_messages: ['Messages of the user.', 'full'],
      agent_messages: ['Messages of the assistant.', 'full'],
    },
  },
  summary_prompts: {
    meaning: `Instructions of summarizing models: ${texts}.`,
    settings: {
      summary: ['Template of the summary: summarize-*.md.', 'default'],
      tool_results: ["Template that condenses a tool's output: tool_results.md.", 'default'],
      user_messages: [
        'Template that condenses a message of the user: user_messages.md.',
        'default',
      ],
      agent_messages: [
        'Template that condenses a message of the assistant: agent_messages.md.',
        'default',
      ],
      max_summary_chars: ['Characters a condensed message may have.', 500],
    },
  },
  providers: {
    meaning:
      'Settings of a provider ("anthropic") or a model ("openai:gpt-5"), the most specific first.',
    isByName: true,
    settings: {
      context_length: ['Tokens the model accepts.'],
      trigger_token_ratio: ['As in `summarisation`.'],
      reset_token_ratio: ['As in `summarisation`.'],
      preserve_recent: ['Messages kept word for word at the end, at least.'],
      preserve_recent_token_ratio: ['More of them, while they fit in this share.'],
      placement: ['The position of the summary in the prompt.'],
      token_multiplier: ['Tokens of the model for one of o200k.'],
      token_threshold: ['Summarize at or above this many tokens.'],
      beyond_price_step: ['Whether prompts may grow to where the model costs more.'],
      max_request_bytes: ['Bytes that a request may have.'],
      max_images: ['Pictures that a request may hold.'],
      max_tool_output_tokens: ['Tokens that the output of a tool may have.'],
    },
  },
  prices: {
    meaning: 'Token prices of a provider or a model, for optimize_for: only ratios count.',
    isByName: true,
    settings: {
      input: ['A token of input.'],
      cache_read: ['A token read from the cache.'],
      cache_write: ['A token written to the cache.'],
      output: ['A token of the answer.'],
      cache_minutes: ['Minutes that the cache lasts.'],
      above: ['Prices of prompts above a number of tokens.'],
    },
  },
  telemetry: {
    meaning: 'Telemetry of the AI SDK for calls of summarizing models.',
    settings: {
      is_enabled: ['Whether the calls are shown.'],
      record_inputs: ['Whether their inputs are shown.'],
      record_outputs: ['Whether their outputs are shown.'],
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

const price = numberWithin('a number of at least 0', { from: 0 });
const prices = { input: price, cache_read: price, cache_write: price, output: price };
const ids = 'the id of a model, or a list of them that is not empty';

/** Rules of settings whose options take values that a file cannot hold. */
const fileRules: Readonly<Record<string, OptionRule>> = {
  archive: z.union(
    [anyBoolean, z.strictObject({ max_file_bytes: integer(0) })],
    'a boolean, or an object with max_file_bytes',
  ),
  background: anyBoolean,
  fallback_strategy: z.union(
    [z.enum(['rule-based', 'heuristic']), z.literal(false)],
    "'rule-based', 'heuristic' or false",
  ),
  summarizer_model_preference: z.union([anyText, z.array(anyText).min(1, ids)], ids),
  ...prices,
  cache_minutes: price,
  above: z.strictObject({ tokens: integer(1), ...prices }, 'an object with tokens and prices'),
};

/** Rule of a setting. The program's own strategies and stores may have any name. */
export function ruleOf(section: string, name: string, [, fallback, unset]: Setting): OptionRule {
  if (section === 'message_filter') return oneOf('full', 'summary', 'omit');
  if (name === 'max_summary_chars') return integer(leastSummaryChars);
  if (section === 'store' || section === 'summary_prompts') return anyString;
  if (name === 'strategy')
    return z.union([z.enum(['llm', 'rule-based', 'heuristic', 'none']), z.string()], 'a string');
  if (typeof fallback === 'boolean' || section === 'telemetry') return anyBoolean;
  const own = fileRules[name];
  if (own !== undefined) return own;
  const rules = { ...optionRules(), ...overrideRules() };
  const option: OptionRule = Reflect.get(rules, camelCase(name));
  if (typeof unset !== 'string') return option;
  return z.union([option, z.literal(unset)], `${allowedBy(option)}, or "${unset}"`);
}

function allowedBy(option: OptionRule): string {
  return option.safeParse(undefined).error?.issues[0]?.message ?? '';
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The same values under other names, those within values too. */
function renamed(values: unknown, naming: (name: string) => string): unknown {
  if (!isObject(values)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [naming(name), renamed(value, naming)]),
  );
}

const comment =
  'Settings of ai-sdk-summarization. Keys that begin with _, and comments, are notes and have no effect; _help names what may be set beside what is; a name may be written as in code too (minMessages); a value that is missing counts as its default, and so does one that is wrong, with a warning. Changes are read when the program starts.';

/**
 * Writes a `settings.json` that holds the usual settings and explains all, unless there is a file already.
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
  const content: Values = {
    $schema: relative(dirname(resolve(path)), schema).replaceAll(sep, '/'),
    _comment: comment,
  };
  for (const [section, { meaning, settings, isByName }] of Object.entries(settingSections)) {
    const help: Values = {};
    const values: Values = {};
    for (const [name, setting] of Object.entries(settings)) {
      const [what, fallback] = setting;
      const inCode: unknown =
        fallback ?? Reflect.get(isByName === true ? {} : defaults, camelCase(name));
      const whenMissing =
        JSON.stringify(inCode) ?? (isByName === true ? 'as for all' : 'as in code');
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
   * file's section `strategies.<name>`; where it refuses that, a model writes, with a warning.
   * @default {}
   */
  readonly strategies?:
    | Readonly<Record<string, (options: Readonly<Values>) => SummaryStrategy>>
    | undefined;
  /**
   * Stores beside `"memory"` that the file may name. Each is given the file's `store.url`.
   * @default {}
   */
  readonly stores?: Readonly<Record<string, (url: string) => AcceptedStore>> | undefined;
}

/**
 * Reads a `settings.json` as {@link ensureSettings} writes it: every option that a file can hold, in snake case or as in
 * code, with comments and commas at the end of lists. Options that need code, and the secret, stay in the program.
 * A missing value counts as its default. So does a wrong value, with a warning that names key, value and the allowed
 * values, and a file that cannot be read. Templates are read as by `loadPromptTemplates`.
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
  const makers = mapOf('an object of functions', anyFunction());
  const rules = { strategies: makers, stores: makers, ...folderRules };
  checkOptions(options, 'onWarning, strategies, stores and folders, or nothing', rules);
  checkTexts({ path }, 'a string that is not empty');
  const { onWarning = emitWarning, strategies = {}, stores = {}, ...folders } = options;
  // Names of a file may hold what a terminal obeys.
  const warn: Warn = (message) => onWarning(`${path}: ${message.replaceAll(/\p{Cc}/gu, ' ')}`);
  const file = readFile(path, warn);
  dropFaults(file, fileSchema(options), warn);
  /** Settings of a section under the names of options. */
  const own = (section: string, values = file[section]): Values => {
    const settings = Object.entries(settingSections[section]?.settings ?? {});
    const entries = settings.flatMap(([name, [, fallback, unset]]): unknown[][] => {
      const { [name]: value = fallback } = Object(values);
      return value === undefined || value === unset
        ? []
        : [[camelCase(name), renamed(value, camelCase)]];
    });
    return Object.fromEntries(entries);
  };
  const { strategy: name, ...settings } = own('summarisation');
  const { [String(name)]: section } = Object(file['strategies']);
  const isOwn = Object.hasOwn(strategies, String(name));
  const strategy = isOwn
    ? (madeOf('strategies', strategies, name, { ...section }, warn) ?? 'llm')
    : name;
  const { name: place, url } = own('store');
  const byName = (kind: string): Values =>
    Object.fromEntries(
      Object.entries(Object(file[kind])).map(([each, values]) => [each, own(kind, values)]),
    );
  const made: Values = {
    ...settings,
    strategy,
    store: madeOf('stores', stores, place, String(url), warn),
    providers: byName('providers'),
    prices: byName('prices'),
    telemetry: own('telemetry'),
    // A strategy of the program has options of its own.
    ...(typeof strategy === 'string' && {
      messageFilter: own('message_filter'),
      prompts: loadPromptTemplates({ ...folders, onWarning, prompts: own('summary_prompts') }),
    }),
  };
  dropFaults(made, optionsSchema(), warn);
  return made;
}

type Warn = (message: string) => void;

/** Reads a file without its notes; nothing of one that cannot be read. */
function readFile(path: string, warn: Warn): Values {
  try {
    const file: unknown = JSON.parse(withoutComments(readTextFile(path)), withoutNotes);
    if (!isObject(file)) throw new Error('it is not a JSON object');
    const sections = Object.entries(file).map(([name, values]): [string, unknown] => {
      const { isByName } = settingSections[name] ?? {};
      if (isByName !== true) return [name, renamed(values, snakeCase)];
      return [name, name === 'strategies' ? values : renamedEach(values)];
    });
    return Object.fromEntries(sections);
  } catch (error) {
    // Not the whole message: it quotes the file, which may hold the password of a store.
    const [place = ''] = / at position \d+ \(line \d+ column \d+\)/.exec(String(error)) ?? [];
    const reason = error instanceof SyntaxError ? `it is not JSON${place}` : messageOf(error);
    warn(`${reason}; the default settings are used.`);
    return {};
  }
}

/** Values by names that are no settings' own: of each its settings are renamed. */
function renamedEach(values: unknown): unknown {
  if (!isObject(values)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([name, each]) => [name, renamed(each, snakeCase)]),
  );
}

/** Begin and end of texts and comments. */
const ends = new Map([
  ['"', '"'],
  ['//', '\n'],
  ['/*', '*/'],
]);

/** Puts blanks in the place of comments and of commas that nothing follows, so that faults keep their places. */
function withoutComments(text: string): string {
  const parts: string[] = [];
  let end = '';
  let comma: number | undefined;
  for (const token of text.split(/("|\\["\\]|\/\/|\/\*|\*\/|[\n,}\]])/)) {
    const isOpen = end === '';
    if (isOpen) end = ends.get(token) ?? '';
    const isComment = end.length > 1 || end === '\n';
    parts.push(isComment ? token.replaceAll(/[^\r\n]/g, ' ') : token);
    if (!isOpen && token === end) end = '';
    if (!isOpen || isComment || token.trim() === '') continue;
    if (comma !== undefined && /[}\]]/.test(token)) parts[comma] = ' ';
    comma = token === ',' ? parts.length - 1 : undefined;
  }
  return parts.join('');
}

function withoutNotes(key: string, value: unknown): unknown {
  return key.startsWith('_') || key === '$schema' ? undefined : value;
}

/** Schema of a file, with the strategies and stores that the program knows. */
function fileSchema({ strategies = {}, stores = {} }: LoadSettingsOptions): OptionRule {
  const sections = Object.entries(settingSections).map(([section, { settings, isByName }]) => {
    const rules = Object.entries(settings).map(([name, setting]): [string, OptionRule] => [
      name,
      ruleOf(section, name, setting),
    ]);
    const ofOne = optionsOf(Object.fromEntries(rules));
    return [section, isByName === true ? mapOf('an object', ofOne) : ofOne] as const;
  });
  const named = Object.keys(strategies).map((name) => [name, anyObject()] as const);
  return optionsOf({
    ...Object.fromEntries(sections),
    store: optionsOf({ name: oneOf('memory', ...Object.keys(stores)), url: anyString }),
    strategies: optionsOf(Object.fromEntries(named)),
  });
}

/** Takes out what a schema refuses, so that its default counts, with a warning each. */
function dropFaults(given: Values, schema: OptionRule, warn: Warn): void {
  for (;;) {
    const [issue] = schema.safeParse(given).error?.issues ?? [];
    if (issue === undefined) return;
    const names = issue.path.map(String);
    const [section, name] = names;
    // The address of a store may hold a password.
    const isAddress = section === 'store' && name !== 'name';
    const held = names.reduce<unknown>((values, each) => Object(values)[each], given);
    const value = isAddress ? 'a value that is not shown' : held;
    const fault = { option: names.join('.'), value, allowed: issue.message };
    warn(`${new SummarizationOptionError(fault).message} Its default counts.`);
    takeOut(given, names);
  }
}

/** Takes out what a path leads to; where it leads to nothing, what holds it. */
function takeOut(values: Values, [name = '', next, ...deeper]: readonly string[]): void {
  const { [name]: inner } = values;
  if (next !== undefined && isObject(inner) && Object.hasOwn(inner, next))
    takeOut(inner, [next, ...deeper]);
  else delete values[name];
}

/** Makes the program's strategy or store of a name; `undefined` for an unknown name, with a warning after a failure. */
function madeOf<Given, Made>(
  kind: string,
  makers: Readonly<Record<string, (given: Given) => Made>>,
  name: unknown,
  given: Given,
  warn: Warn,
): Made | undefined {
  try {
    return makers[String(name)]?.(given);
  } catch (error) {
    // The address of a store may hold a password.
    const secret = typeof given === 'string' && given !== '' ? given : '\0';
    warn(
      `${kind}.${String(name)} is not used: ${messageOf(error).replaceAll(secret, 'store.url')}`,
    );
    return undefined;
  }
}
