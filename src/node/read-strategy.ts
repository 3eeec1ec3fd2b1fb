import { hasFunctions } from '../checks/option-rule.ts';
import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import type { SummaryStrategy } from '../strategies/summary-strategy.ts';
import { isObject } from '../util/is-object.ts';
import {
  isNote,
  ownValue,
  sectionOf,
  shownJson,
  warnUnknown,
  type SettingsFile,
} from './read-section.ts';
import { messageOf } from '../util/errors.ts';

/** Makes a strategy from its section of a settings file, whose wrong values it refuses. */
export type StrategyMaker = (options: Readonly<Record<string, unknown>>) => SummaryStrategy;

/** Strategies of a program by their names. */
export type StrategyMakers = Readonly<Record<string, StrategyMaker>>;

/** The strategies that the package has itself. */
export const strategyNames = ['llm', 'rule-based', 'heuristic', 'none'] as const;

/** A strategy that the package has itself. */
export type StrategyName = (typeof strategyNames)[number];

/**
 * The strategy of a name. A program's own one is made with its section; an option that it refuses is left out
 * with a warning, and where it cannot be made at all, `'llm'` takes its place with another.
 */
export function readStrategy(
  file: SettingsFile,
  name: string,
  makers: StrategyMakers,
): StrategyName | SummaryStrategy {
  const all = sectionOf(file, 'strategies') ?? {};
  warnUnknown(file, all, Object.keys(makers), 'strategies.');
  const own = strategyNames.find((each) => each === name);
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (own !== undefined || maker === undefined) return own ?? 'llm';
  const section = `strategies.${shownJson(name).slice(1, -1)}`;
  const given = ownValue(all, name);
  if (given !== undefined && !isObject(given))
    file.onWarning(
      `${file.path}: ${section} is ${shownJson(given)}, not an object; its defaults are used.`,
    );
  const options = new Map(
    Object.entries(isObject(given) ? given : {}).filter(([key]) => !isNote(key)),
  );
  return make(file, section, { maker, options });
}

function make(
  file: SettingsFile,
  section: string,
  { maker, options }: { readonly maker: StrategyMaker; readonly options: Map<string, unknown> },
): StrategyName | SummaryStrategy {
  for (;;) {
    try {
      const strategy: unknown = maker(Object.fromEntries(options));
      if (isStrategy(strategy)) return strategy;
      throw new TypeError('it made no object with a name and a summarize function');
    } catch (error) {
      const [wrong] = SummarizationOptionError.isInstance(error) ? error.option.split('.') : [];
      const reason = messageOf(error);
      if (wrong === undefined || !options.delete(wrong)) {
        file.onWarning(`${file.path}: ${section} makes no strategy: ${reason}; "llm" is used.`);
        return 'llm';
      }
      file.onWarning(`${file.path}: ${section}.${wrong} has no effect: ${reason}`);
    }
  }
}

function isStrategy(value: unknown): value is SummaryStrategy {
  return isObject(value) && typeof value['name'] === 'string' && hasFunctions(value, 'summarize');
}
