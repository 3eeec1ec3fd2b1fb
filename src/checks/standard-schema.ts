import { SummarizationOptionError } from '../errors/summarization-option-error.ts';

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
 * What a schema makes of options.
 *
 * @throws {SummarizationOptionError} naming the first option that is wrong; when the schema answers with a promise.
 */
export function checkedBySchema<Input, Output>(
  schema: StandardSchema<Input, Output>,
  options: unknown,
): Output {
  const result = schema['~standard'].validate(options);
  if ('then' in result)
    throw new SummarizationOptionError({
      option: 'schema',
      value: schema,
      allowed: 'a schema that answers at once',
    });
  if (result.issues === undefined) return result.value;
  const { message = 'what the schema takes', path = [] } = result.issues[0] ?? {};
  const names = path.map((step) => (typeof step === 'object' ? step.key : step));
  let value = options;
  for (const name of names) value = Object(value)[name];
  const option = names.map(String).join('.') || 'options';
  throw new SummarizationOptionError({ option, value, allowed: message });
}
