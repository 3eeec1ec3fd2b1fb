import type { ProviderOverrides } from './provider-overrides.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/** What one option accepts. */
export interface OptionRule {
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
}

/** Shortest `secret` that is taken. */
const minSecretLength = 16;

const telemetryNames = new Set(['isEnabled', 'recordInputs', 'recordOutputs']);
const treeStoreFunctions = ['persist', 'getFinalSummary', 'list', 'delete'];

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isFunction = (value: unknown): boolean => typeof value === 'function';
/** Whether something is a model or the id of one. */
export const isModel = (value: unknown): boolean =>
  (typeof value === 'string' && value !== '') ||
  (isObject(value) && 'doGenerate' in value && 'modelId' in value);
const isStrategy = (value: unknown): boolean =>
  isObject(value) &&
  'name' in value &&
  typeof value.name === 'string' &&
  'summarize' in value &&
  isFunction(value.summarize);
const strategyNames: ReadonlySet<unknown> = new Set(['llm', 'rule-based', 'heuristic', 'none']);
/** Whether something has what a store needs. */
export const isStore = (value: unknown): boolean =>
  isObject(value) && ['get', 'set', 'delete'].every((name) => isFunction(Reflect.get(value, name)));

/** Takes true and false. */
export const flag: OptionRule = {
  allowed: 'a boolean',
  accepts: (value) => typeof value === 'boolean',
};
/** Takes every object but lists. */
export const anyObject: OptionRule = {
  allowed: 'an object',
  accepts: (value) => isObject(value) && !Array.isArray(value),
};

/** Takes every signal. */
export const anyAbortSignal: OptionRule = {
  allowed: 'an AbortSignal',
  accepts: (value) => value instanceof AbortSignal,
};

/** Takes every function. */
export const anyFunction: OptionRule = { allowed: 'a function', accepts: isFunction };

/** Takes integers from a least one on. */
export function integer(minimum: number): OptionRule {
  return {
    allowed: `an integer of at least ${minimum}`,
    accepts: (value) => Number.isSafeInteger(value) && Number(value) >= minimum,
  };
}

/** Takes some names. */
export function oneOf(...names: readonly string[]): OptionRule {
  return {
    allowed: names.map((name) => `'${name}'`).join(' or '),
    accepts: (value) => names.some((name) => name === value),
  };
}

function numberBetween(allowed: string, accepts: (value: number) => boolean): OptionRule {
  return { allowed, accepts: (value) => typeof value === 'number' && accepts(value) };
}

/** Rules of the options that `providers` can override. */
export const providerRules: Readonly<Record<keyof ProviderOverrides, OptionRule>> = {
  contextLength: integer(1),
  triggerTokenRatio: numberBetween(
    'a number above 0 and at most 1',
    (value) => value > 0 && value <= 1,
  ),
  resetTokenRatio: numberBetween('a number above 0 and below 1', (value) => value > 0 && value < 1),
  preserveRecent: integer(2),
  preserveRecentTokenRatio: numberBetween(
    'a number from 0 to 1',
    (value) => value >= 0 && value <= 1,
  ),
  placement: oneOf('auto', 'system', 'system-merged', 'user'),
  tokenMultiplier: numberBetween('a number from 0.1 to 10', (value) => value >= 0.1 && value <= 10),
};

const { tokenMultiplier: _ofProvidersOnly, ...sharedRules } = providerRules;

/** Rules of all options. */
export const optionRules: Readonly<Record<keyof SummarizationOptions, OptionRule>> = {
  ...sharedRules,
  contextLength: {
    allowed: 'an integer of at least 1, or a function of the model that returns one',
    accepts: (value) => isFunction(value) || providerRules.contextLength.accepts(value),
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
  strategy: {
    allowed:
      "'llm', 'rule-based', 'heuristic', 'none' or an object with a name and a summarize function",
    accepts: (value) => strategyNames.has(value) || isStrategy(value),
  },
  fallbackStrategy: {
    allowed: "false, 'rule-based', 'heuristic' or an object with a name and a summarize function",
    accepts: (value) =>
      value === false || value === 'rule-based' || value === 'heuristic' || isStrategy(value),
  },
  summarizerModelPreference: {
    allowed: 'a model, a model id, or a list of them that is not empty',
    accepts: (value) =>
      Array.isArray(value) ? value.length > 0 && value.every(isModel) : isModel(value),
  },
  maxSummaryTokens: integer(50),
  maxTranscriptTokens: integer(500),
  providers: {
    allowed: 'an object of overrides by provider or provider:model',
    accepts: (value) => isObject(value) && !Array.isArray(value),
  },
  // What is in these two is checked where they are resolved.
  prompts: { allowed: 'an object of templates', accepts: isObject },
  messageFilter: { allowed: 'an object of modes', accepts: isObject },
  store: { allowed: 'an object with the functions get, set and delete', accepts: isStore },
  summaryTreeStore: {
    allowed: 'an object with the functions persist, getFinalSummary, list and delete',
    accepts: (value) =>
      isObject(value) && treeStoreFunctions.every((name) => isFunction(Reflect.get(value, name))),
  },
  namespace: { allowed: 'a string', accepts: (value) => typeof value === 'string' },
  secret: {
    allowed: `a string of at least ${minSecretLength} characters`,
    accepts: (value) => typeof value === 'string' && value.length >= minSecretLength,
  },
  pin: anyFunction,
  redact: anyFunction,
  telemetry: {
    allowed: 'an object with isEnabled, recordInputs and recordOutputs, each a boolean',
    accepts: (value) =>
      isObject(value) &&
      !Array.isArray(value) &&
      Object.entries(value).every(
        ([name, each]) =>
          telemetryNames.has(name) && (each === undefined || typeof each === 'boolean'),
      ),
  },
  abortOnFailure: flag,
  onEvent: anyFunction,
  debug: {
    allowed: 'a boolean or a function',
    accepts: (value) => typeof value === 'boolean' || isFunction(value),
  },
};
