import { validate, type StandardSchema } from '../../foundations/checks/check-object.ts';
import {
  anyFunction,
  anyObject,
  anyText,
  hasFunctions,
  lazily,
  optionsOf,
  rule,
  type OptionRule,
} from '../../foundations/checks/option-rule.ts';
import type { SummaryInput, SummaryOutput, SummaryStrategy } from './summary-strategy.ts';

/** Definition of a strategy for {@link defineStrategy}. */
export interface StrategyDefinition<Input extends object, Options> extends Pick<
  SummaryStrategy,
  'name' | 'toolResults'
> {
  /** Schema of the strategy's options: any Standard Schema that answers at once. Its defaults count. */
  readonly schema: StandardSchema<Input, Options>;
  /** Writes a summary; throws when it cannot. Keeps nothing that would not serve the next conversation. */
  readonly summarize: (input: SummaryInput, options: Options) => Promise<SummaryOutput>;
}

/**
 * Makes a strategy from its options: in code, and as one of the `strategies` of `loadSettings`.
 *
 * @throws {SummarizationOptionError} naming the option that is wrong.
 */
export type DefinedStrategy<Input extends object = object> = (options?: Input) => SummaryStrategy;

const definitionRule = lazily(() =>
  optionsOf<StrategyDefinition<object, object>>(
    {
      name: anyText,
      schema: rule("a Standard Schema, an object with '~standard'", (value) =>
        hasFunctions(Object(value)['~standard'], 'validate'),
      ),
      toolResults: anyObject(),
      summarize: anyFunction(),
    },
    {
      allowed: 'an object with name, schema, summarize, and perhaps toolResults',
      required: ['name', 'schema', 'summarize'],
    },
  ),
);

/**
 * Defines a strategy of your own with options of its own.
 *
 * @throws {SummarizationOptionError} when the definition is wrong.
 *
 * @example
 * ```ts
 * const topics = defineStrategy({
 *   name: 'topics',
 *   schema: z.object({ maxTopics: z.int().min(1).default(5) }),
 *   summarize: async ({ messages, previous }, { maxTopics }) => ({ content, usage }),
 * });
 * summarizationMiddleware({ strategy: topics({ maxTopics: 3 }) });
 * ```
 */
export function defineStrategy<Input extends object, Options>(
  definition: StrategyDefinition<Input, Options>,
): DefinedStrategy<Input> {
  validate(definitionRule(), definition, 'input');
  return (options) => {
    const { name, toolResults, schema } = definition;
    const own = validate(schema, options ?? {});
    return { name, toolResults, summarize: (input) => definition.summarize(input, own) };
  };
}

/** Makes the rule of an option that is a strategy, or the name of one. */
export function strategyRule<Value>(...names: readonly (string | false)[]): OptionRule<Value> {
  const listed = names.map((name) => (name === false ? 'false' : `'${name}'`)).join(', ');
  return rule(
    `${listed} or an object with a name and a summarize function`,
    (value) =>
      names.some((name) => name === value) ||
      (hasFunctions(value, 'summarize') && typeof Object(value).name === 'string'),
  );
}
