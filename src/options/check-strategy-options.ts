import { checkThat } from '../checks/check-object.ts';
import type { StrategyOptions } from './strategy-options.ts';

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
export function checkStrategyOptions(options: StrategyOptions): void {
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
