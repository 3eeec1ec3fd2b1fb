import { checkIsObject, checkObject, checkThat } from '../checks/check-object.ts';
import { checkPrompts } from '../prompts/check-prompts.ts';
import { resolveMessageFilter } from '../strategies/messages/message-filter.ts';
import type { StrategyOptions } from './strategy-options.ts';
import { optionRules, providerRules } from './option-rules.ts';
import type { SummarizationOptions } from './summarization-options.ts';
import { numberThat } from '../checks/option-rule.ts';
import type { TokenPrices } from '../planning/trigger-options.ts';
import { isObject } from '../util/is-object.ts';

/**
 * Checks the options of a middleware once, before any work: all of them, whoever reads them, so that no
 * mistake waits for the day another option is changed.
 *
 * @returns What is to be mended in the prompts but does no harm.
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function checkOptions(options: SummarizationOptions): readonly string[] {
  checkIsObject(options, 'options');
  checkNames(options);
  checkObject(options, optionRules, '');
  checkStrategyOptions(options);
  checkQueue(options);
  checkRatios(options, '');
  checkPrices(options.prices ?? {});
  for (const [name, overrides] of Object.entries(options.providers ?? {})) {
    const path = `providers.${name}`;
    checkIsObject(overrides, path);
    checkObject(overrides, providerRules, `${path}.`);
    const triggerTokenRatio = overrides.triggerTokenRatio ?? options.triggerTokenRatio;
    const resetTokenRatio = overrides.resetTokenRatio ?? options.resetTokenRatio;
    checkRatios({ triggerTokenRatio, resetTokenRatio }, `${path}.`);
  }
  resolveMessageFilter(options.messageFilter);
  const promptWarnings: string[] = [];
  checkPrompts(options.prompts, (message) => promptWarnings.push(message));
  return promptWarnings;
}

/** What had another name before: its figure meant something else. */
function checkNames(options: object): void {
  const old: unknown = Reflect.get(options, 'maxSummariesPerHour');
  const allowed = 'given as maxSummaryCallsPerHour, which counts calls of summarising models';
  checkThat(old === undefined, 'maxSummariesPerHour', old, allowed);
}

/** A worker finds nothing of what is known to this process alone. */
function checkQueue({ background, store, secret }: SummarizationOptions): void {
  const isShared = store !== undefined && store.isLocal !== true && secret !== undefined;
  const allowed = 'given with a store that other processes share, and its secret';
  checkThat(typeof background !== 'object' || isShared, 'background', background, allowed);
}

function checkRatios(
  {
    triggerTokenRatio = 0.8,
    resetTokenRatio,
  }: Pick<SummarizationOptions, 'triggerTokenRatio' | 'resetTokenRatio'>,
  path: string,
): void {
  const isBelow = resetTokenRatio === undefined || resetTokenRatio < triggerTokenRatio;
  const allowed = `a number below triggerTokenRatio, which is ${triggerTokenRatio}`;
  checkThat(isBelow, `${path}resetTokenRatio`, resetTokenRatio, allowed);
}

/** An option, the strategies by whose name it is read, and how a strategy object gets it. */
interface StrategyOption {
  readonly name: keyof StrategyOptions;
  readonly by: readonly ('llm' | 'rule-based')[];
  readonly instead: string;
}

const readers: readonly StrategyOption[] = [
  { name: 'prompts', by: ['llm'], instead: 'llmStrategy({ prompts })' },
  { name: 'summarizerModelPreference', by: ['llm'], instead: 'llmStrategy({ models })' },
  {
    name: 'messageFilter',
    by: ['llm', 'rule-based'],
    instead: 'llmStrategy({ messageFilter }) or ruleBasedStrategy({ messageFilter })',
  },
  { name: 'minUserTurns', by: ['rule-based'], instead: 'ruleBasedStrategy({ minUserTurns })' },
  {
    name: 'preserveErrorDetails',
    by: ['rule-based'],
    instead: 'ruleBasedStrategy({ preserveErrorDetails })',
  },
];

/**
 * Refuses options that only the named strategies read where a strategy object stands in their place: the
 * object has its own.
 *
 * @throws {SummarizationOptionError} naming the option and where it belongs.
 */
function checkStrategyOptions(options: StrategyOptions): void {
  const { strategy = 'llm', fallbackStrategy } = options;
  const hasObject = [strategy, fallbackStrategy].some((given) => typeof given === 'object');
  if (!hasObject || strategy === 'none') return;
  const named = new Set<unknown>(
    [strategy, fallbackStrategy].map((given) => (given === 'heuristic' ? 'rule-based' : given)),
  );
  for (const { name, by, instead } of readers) {
    const value = options[name];
    const isRead = value === undefined || by.some((reader) => named.has(reader));
    const allowed = `nothing beside a strategy object, which has options of its own: ${instead}`;
    checkThat(isRead, name, value, allowed);
  }
}

const price = numberThat('a number of at least 0', (value) => value >= 0 && value < Infinity);

const priceRules = {
  input: price,
  cacheRead: price,
  cacheWrite: price,
  output: price,
  cacheMinutes: price,
};

const allowed = `given with ${Object.keys(priceRules).join(', ')}, each a number, with cacheRead at most input, and input above 0 and at most cacheWrite and output`;

/** @throws {SummarizationOptionError} naming the price that is missing, negative or in no plausible order. */
function checkPrices(prices: Readonly<Record<string, TokenPrices>>): void {
  for (const [name, given] of Object.entries(prices)) {
    const path = `prices.${name}`;
    checkThat(isObject(given), path, given, allowed);
    checkObject(given, priceRules, `${path}.`);
    const { input, cacheRead, cacheWrite, output, cacheMinutes } = given;
    const holds = {
      input: input > 0,
      cacheRead: cacheRead <= input,
      cacheWrite: cacheWrite >= input,
      output: output >= input,
      cacheMinutes: cacheMinutes >= 0,
    };
    for (const [field, isPlausible] of Object.entries(holds))
      checkThat(isPlausible, `${path}.${field}`, Reflect.get(given, field), allowed);
  }
}
