import {
  anyAbortSignal,
  anyFunction,
  anyObject,
  flag,
  hasFunctions,
  integer,
  numberThat,
  oneOf,
  type OptionRule,
  commonRules,
  isModel,
} from '../checks/option-rule.ts';
import { storeRule } from '../stores/summary-store.ts';
import { isObject } from '../util/is-object.ts';
import type { SummarizationOptions, ProviderOverrides } from './summarization-options.ts';

const strategyNames: ReadonlySet<unknown> = new Set(['llm', 'rule-based', 'heuristic', 'none']);
const fallbackNames: ReadonlySet<unknown> = new Set([false, 'rule-based', 'heuristic']);

/** Longer timers fire at once. */
const longestTimerMs = 2 ** 31 - 1;

const flagOrFunction: OptionRule = {
  allowed: 'a boolean or a function',
  accepts: (value) => flag.accepts(value) || anyFunction.accepts(value),
};

function isStrategy(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && hasFunctions(value, 'summarize');
}

function isArchive({ maxFileBytes, ...others }: Readonly<Record<string, unknown>>): boolean {
  const isSize = maxFileBytes === undefined || integer(0).accepts(maxFileBytes);
  return isSize && Object.keys(others).length === 0;
}

/** Rules of the options that `providers` can override. */
export const providerRules: Readonly<Record<keyof ProviderOverrides, OptionRule>> = {
  contextLength: integer(1),
  triggerTokenRatio: numberThat(
    'a number above 0 and at most 1',
    (value) => value > 0 && value <= 1,
  ),
  resetTokenRatio: numberThat('a number above 0 and below 1', (value) => value > 0 && value < 1),
  preserveRecent: integer(2),
  preserveRecentTokenRatio: numberThat('a number from 0 to 1', (value) => value >= 0 && value <= 1),
  placement: oneOf('auto', 'system', 'system-merged', 'user'),
  tokenMultiplier: numberThat('a number from 0.1 to 10', (value) => value >= 0.1 && value <= 10),
};

const { tokenMultiplier: _ofProvidersOnly, ...sharedRules } = providerRules;

/** Rules of all options. */
export const optionRules: Readonly<Record<keyof SummarizationOptions, OptionRule>> = {
  ...sharedRules,
  ...commonRules,
  contextLength: {
    allowed: 'an integer of at least 1, or a function of the model that returns one',
    accepts: (value) => anyFunction.accepts(value) || providerRules.contextLength.accepts(value),
  },
  enabled: flag,
  tokenThreshold: integer(1),
  turnThreshold: integer(1),
  minMessages: integer(0),
  preserveUserTurns: flag,
  maxSummaryChainDepth: integer(0),
  atMaxDepth: oneOf('rebase', 'halt'),
  cooldownMessages: integer(0),
  forceRefreshAfterMessages: integer(1),
  minUserTurns: integer(0),
  preserveErrorDetails: flag,
  condenseToolResults: flag,
  optimizeFor: oneOf('memory', 'cost'),
  prices: anyObject,
  native: oneOf('never'),
  summarizerInput: oneOf('transcript', 'conversation'),
  strategy: {
    allowed:
      "'llm', 'rule-based', 'heuristic', 'none' or an object with a name and a summarize function",
    accepts: (value) => strategyNames.has(value) || isStrategy(value),
  },
  fallbackStrategy: {
    allowed: "false, 'rule-based', 'heuristic' or an object with a name and a summarize function",
    accepts: (value) => fallbackNames.has(value) || isStrategy(value),
  },
  summarizerModelPreference: {
    allowed: 'a model, a model id, or a list of them that is not empty',
    accepts: (value) =>
      Array.isArray(value) ? value.length > 0 && value.every(isModel) : isModel(value),
  },
  maxSummaryTokens: integer(50),
  providers: {
    allowed: 'an object of overrides by provider or provider:model',
    accepts: anyObject.accepts,
  },
  // What is in these two is checked where they are resolved.
  prompts: { allowed: 'an object of templates', accepts: anyObject.accepts },
  messageFilter: { allowed: 'an object of modes', accepts: anyObject.accepts },
  store: storeRule,
  encrypt: flag,
  storeTimeoutMs: integer(1),
  retentionMs: integer(60_000),
  supersededTtlMs: integer(0),
  archive: {
    allowed: 'a boolean or an object with maxFileBytes, an integer of at least 0',
    accepts: (value) =>
      typeof value === 'boolean' || (anyObject.accepts(value) && isArchive(Object(value))),
  },
  maxSummaryCallsPerHour: integer(1),
  summaryTreeStore: {
    allowed: 'an object with the functions persist, getFinalSummary, list and delete',
    accepts: (value) => hasFunctions(value, 'persist', 'getFinalSummary', 'list', 'delete'),
  },
  pin: anyFunction,
  priority: anyFunction,
  redact: anyFunction,
  onBeforeSummarize: anyFunction,
  abortOnFailure: flag,
  maxWaitMs: integer(0, longestTimerMs),
  summaryTimeoutMs: integer(1, longestTimerMs),
  background: {
    allowed: 'a boolean, a function, or an object with the function enqueue',
    accepts: (value) => flagOrFunction.accepts(value) || hasFunctions(value, 'enqueue'),
  },
  abortSignal: anyAbortSignal,
  onEvent: anyFunction,
  debug: flagOrFunction,
};
