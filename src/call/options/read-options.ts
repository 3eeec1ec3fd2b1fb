import { validate } from '../../foundations/checks/check-object.ts';
import {
  lazily,
  optionsOf,
  type OptionRule,
  type WithDefaults,
} from '../../foundations/checks/option-rule.ts';
import { llmStrategy } from '../../summaries/llm/llm-strategy.ts';
import { ruleBasedStrategy } from '../../summaries/rule-based/rule-based-strategy.ts';
import type {
  SummaryStrategy,
  ToolResultOptions,
} from '../../summaries/strategies/summary-strategy.ts';
import {
  defaults,
  optionRules,
  type NamedStrategy,
  type ResolvedOptions,
  type SummarizationOptions,
} from './summarization-options.ts';

/** Rules of the options of a middleware, one by one and in combination. */
export const optionsSchema: () => OptionRule<WithDefaults<SummarizationOptions, typeof defaults>> =
  lazily(() =>
    optionsOf<SummarizationOptions, typeof defaults>(optionRules(), { defaults }).superRefine(
      (options, context) => {
        for (const [path, allowed] of conflictsIn(options))
          context.addIssue({ code: 'custom', path, message: allowed, continue: false });
      },
    ),
  );

/**
 * Checks the options of a middleware once, before any work: all of them, whoever reads them, so that no mistake waits for
 * the day another option is changed.
 *
 * @returns The options with their defaults in place.
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function readOptions(given: SummarizationOptions): ResolvedOptions {
  const options = validate(optionsSchema(), given);
  const { maxWaitMs = options.background === false ? 10_000 : 0 } = options;
  // Another model has no cache of the prompt, and one that is redacted is another prompt.
  const isOwnPrompt =
    options.summarizerModelPreference === undefined && options.redact === undefined;
  const summarizerInput = isOwnPrompt ? options.summarizerInput : 'transcript';
  return { ...options, maxWaitMs, summarizerInput };
}

/** An option that is wrong beside another one, and what is allowed there. */
type Conflict = readonly [path: string[], allowed: string];

function conflictsIn(
  options: WithDefaults<SummarizationOptions, typeof defaults>,
): readonly Conflict[] {
  const { background, store, secret, providers } = options;
  const found = [...unreadOptions(options)];
  // A worker finds nothing of what is known to this process alone.
  const isShared = store !== undefined && store.isLocal !== true && secret !== undefined;
  if (typeof background === 'object' && !isShared)
    found.push([['background'], 'given with a store that other processes share, and its secret']);
  const all = Object.entries(providers).map(([name, own]) => [['providers', name], own] as const);
  for (const [path, own] of [[[], options] as const, ...all]) {
    const { triggerTokenRatio = options.triggerTokenRatio } = own;
    const { resetTokenRatio = options.resetTokenRatio ?? 0 } = own;
    const allowed = `a number below triggerTokenRatio, which is ${triggerTokenRatio}`;
    if (resetTokenRatio >= triggerTokenRatio) found.push([[...path, 'resetTokenRatio'], allowed]);
  }
  return found;
}

/** Options that only strategies read which are named, by the names of those, and how a strategy object gets them. */
const readers = [
  ['prompts', ['llm'], 'llmStrategy({ prompts })'],
  ['summarizerModelPreference', ['llm'], 'llmStrategy({ models })'],
  ['messageFilter', ['llm'], 'llmStrategy({ messageFilter })'],
  ['minUserTurns', ['rule-based'], 'ruleBasedStrategy({ minUserTurns })'],
  ['preserveErrorDetails', ['rule-based'], 'ruleBasedStrategy({ preserveErrorDetails })'],
] as const;

/** Options that nobody would read: a strategy object in the place of the named ones has its own. */
function unreadOptions(options: SummarizationOptions): readonly Conflict[] {
  const { strategy, fallbackStrategy } = options;
  const given = [strategy, fallbackStrategy];
  if (strategy === 'none' || !given.some((each) => typeof each === 'object')) return [];
  const names = new Set(given.map((each) => (each === 'heuristic' ? 'rule-based' : each)));
  return readers.flatMap(([name, by, instead]) => {
    const isRead = options[name] === undefined || by.some((reader) => names.has(reader));
    const allowed = `nothing beside a strategy object, which has options of its own: ${instead}`;
    return isRead ? [] : [[[name], allowed] as const];
  });
}

/** The strategies of one middleware. */
export interface Strategies {
  /** `undefined` for the strategy `'none'`. */
  readonly strategy: SummaryStrategy | undefined;
  readonly fallbackStrategy: SummaryStrategy | undefined;
  /** How tool results are condensed without a summary: as the strategies read them. */
  readonly toolResults: ToolResultOptions;
}

/** Makes the strategies that options name. */
export function makeStrategies(options: ResolvedOptions): Strategies {
  const { strategy, abortOnFailure, prompts, messageFilter } = options;
  const { fallbackStrategy = abortOnFailure ? false : 'rule-based' } = options;
  const { minUserTurns, preserveErrorDetails, summarizerModelPreference } = options;
  const models =
    summarizerModelPreference === undefined ? undefined : [summarizerModelPreference].flat();
  const make = (given: NamedStrategy | SummaryStrategy): SummaryStrategy => {
    if (typeof given !== 'string') return given;
    return given === 'llm'
      ? llmStrategy({ models, prompts, messageFilter })
      : ruleBasedStrategy({ minUserTurns, preserveErrorDetails });
  };
  // Rules that failed will fail again.
  const isRepeated =
    strategy !== 'llm' && typeof strategy === 'string' && typeof fallbackStrategy === 'string';
  const hasFallback = fallbackStrategy !== false && strategy !== 'none' && !isRepeated;
  const objects = [strategy, fallbackStrategy].filter((given) => typeof given === 'object');
  return {
    strategy: strategy === 'none' ? undefined : make(strategy),
    fallbackStrategy: hasFallback ? make(fallbackStrategy) : undefined,
    toolResults: objects.find(({ toolResults }) => toolResults !== undefined)?.toolResults ?? {
      preserveErrorDetails,
    },
  };
}
