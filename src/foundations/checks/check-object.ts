import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { anyObject, anyString, anyText, optionsOf, type OptionRule } from './option-rule.ts';

/** A schema of any library that keeps to Standard Schema (https://standardschema.dev), such as Zod, Valibot or ArkType. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
      }[];
    };

/**
 * Result of a schema for a value, with defaults.
 *
 * @param option - Name of the value.
 * @param path - Put in front of the names of its options.
 * @throws {SummarizationOptionError} naming the first option that is wrong, its value and what is allowed; when the schema
 * answers with a promise.
 */
export function validate<Output>(
  schema: StandardSchema<unknown, Output>,
  given: unknown,
  option = 'options',
  path = '',
): Output {
  const result = schema['~standard'].validate(given);
  checkThat(!('then' in result), 'schema', schema, 'a schema that answers at once');
  if (result.issues === undefined) return result.value;
  const { message: allowed = 'what the schema takes', path: steps = [] } = result.issues[0] ?? {};
  let value = given;
  const names = steps.map((step) => (typeof step === 'object' ? step.key : step));
  for (const name of names) value = Object(value)[name];
  const named = names.length === 0 ? option : path + names.map(String).join('.');
  throw new SummarizationOptionError({ option: named, value, allowed });
}

/** @throws {SummarizationOptionError} unless a condition holds. */
export function checkThat(
  holds: boolean,
  option: string,
  value: unknown,
  allowed: string,
): asserts holds {
  if (!holds) throw new SummarizationOptionError({ option, value, allowed });
}

/**
 * Checks that a function was given its one object, whatever else stands in it.
 *
 * @param content - Contents of the object, in words.
 * @throws {SummarizationOptionError} when it is none.
 */
export function checkInput(input: unknown, content: string): void {
  validate(anyObject(`an object with ${content}`), input, 'input');
}

/**
 * Checks the one object that a function is given, and its options.
 *
 * @param content - Contents of the object, in words.
 * @param rules - The schema of each of its options; one without a schema is wrong.
 * @param required - Options that may not be missing.
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function checkOptions(
  input: unknown,
  content: string,
  rules: Readonly<Record<string, OptionRule>>,
  ...required: readonly string[]
): void {
  const terms = { allowed: `an object with ${content}`, required };
  validate(optionsOf(rules, terms), input, 'input');
}

/**
 * Checks that arguments are strings.
 *
 * @param texts - The arguments by their names.
 * @param allowed - Allowed values of the options.
 * @throws {SummarizationOptionError} naming the first that is none, or that is empty where it must not be.
 */
export function checkTexts(
  texts: Readonly<Record<string, unknown>>,
  allowed: 'a string' | 'a string that is not empty' = 'a string',
): void {
  for (const [option, value] of Object.entries(texts))
    validate(allowed === 'a string' ? anyString : anyText, value, option);
}
