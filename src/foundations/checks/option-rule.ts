import * as z from 'zod/v4';
import { isObject } from '../util/is-object.ts';

/** The schema of one option: the message of its issue says in words what is allowed. */
export type OptionRule<Value = unknown> = z.ZodType<Value>;

/** The schemas of named options; that of an option which may be left out does not say so. */
export type OptionRules<Options> = {
  readonly [Name in keyof Options]-?: OptionRule<Exclude<Options[Name], undefined>>;
};

/**
 * A rule that only code can check.
 *
 * @param hintFor - Hint before the allowed values, for a value that is a well-known mistake.
 */
export function rule<Value>(
  allowed: string,
  accepts: (value: unknown) => boolean,
  hintFor: (value: unknown) => string = () => '',
): OptionRule<Value> {
  return z.custom<Value>(accepts, { error: ({ input }) => hintFor(input) + allowed });
}

export const anyBoolean: OptionRule<boolean> = z.boolean('a boolean');

export const anyString: OptionRule<string> = z.string('a string');

const textAllowed = 'a string that is not empty';

export const anyText: OptionRule<string> = z.string(textAllowed).min(1, textAllowed);

/**
 * Whether something is an object of named values: neither a list, nor what has no names to be read and so would count as
 * empty, such as a promise that was not awaited or a Map.
 */
export function isOptionsObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return /^\[object (?:Object|Module)\]$/.test(Object.prototype.toString.call(value));
}

export function anyObject<Value extends object>(allowed = 'an object'): OptionRule<Value> {
  return rule(allowed, isOptionsObject);
}

export function anyFunction<Value>(): OptionRule<Value> {
  return rule('a function', (value) => typeof value === 'function');
}

export const secretAllowed =
  'a string of at least 16 characters, or a list of one or two of them, the current one first';

/** How a secret is made, and where it may be lost. */
export const secretHint =
  'is its environment variable set? This makes one: openssl rand -base64 32';

const oneSecret = z.string(secretAllowed).min(16, secretAllowed);

/** Secrets that seal stored values: the current one, and perhaps the former one. */
export const secretRule: OptionRule<string | readonly string[]> = z.union(
  [oneSecret, z.array(oneSecret).min(1, secretAllowed).max(2, secretAllowed)],
  secretAllowed,
);

export const anyAbortSignal: OptionRule<AbortSignal> = rule(
  'an AbortSignal',
  (value) => value instanceof AbortSignal,
);

/** The value is checked where it is read, with a text of its own. */
export const checkedElsewhere: OptionRule<never> = rule('', () => true);

export function integer(minimum: number, maximum: number = Infinity): OptionRule<number> {
  const range = maximum === Infinity ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const allowed = `an integer ${range}`;
  return z.int(allowed).min(minimum, allowed).max(maximum, allowed);
}

/** A number within limits, of which those `above` and `below` are not reached. */
export function numberWithin(
  allowed: string,
  limits: Readonly<Partial<Record<'from' | 'above' | 'to' | 'below', number>>>,
): OptionRule<number> {
  const { from = -Infinity, above = -Infinity, to = Infinity, below = Infinity } = limits;
  const least = z.number(allowed).min(from, allowed).gt(above, allowed);
  return least.max(to, allowed).lt(below, allowed);
}

export function oneOf<const Name extends string>(...names: readonly Name[]): OptionRule<Name> {
  const allowed = names.map((name) => `'${name}'`).join(' or ');
  return z.enum(names, { error: ({ input }) => withMeant(allowed, input, names) });
}

/** A plain value or an object of named options: what is wrong is told in the words of the one that it looks like. */
export function valueOrOptions<Plain, Named>(
  plain: OptionRule<Plain>,
  named: OptionRule<Named>,
): OptionRule<Plain | Named> {
  return z.custom<Plain | Named>().superRefine((given, context) => {
    const { error } = (isOptionsObject(given) ? named : plain).safeParse(given);
    for (const { path, message } of error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message, continue: false });
  });
}

/** Text about an object of named options. */
interface OptionsTerms<Options, Defaults = Partial<Options>> {
  /** Text about a value that is no such object. @default 'an object' */
  readonly allowed?: string;
  /** Options that may not be missing. */
  readonly required?: readonly (keyof Options & string)[];
  /** Values of missing options. */
  readonly defaults?: Defaults;
}

/** Options of which those that have a default are there. */
export type WithDefaults<Options, Defaults> = Options & {
  readonly [Name in keyof Options & keyof Defaults]: Exclude<Options[Name], undefined>;
};

/** An object of named options; an unknown name is refused, with the one that may be meant. */
export function optionsOf<Options extends object, Defaults extends Partial<Options> = object>(
  rules: OptionRules<Options>,
  terms?: OptionsTerms<Options, Defaults>,
): OptionRule<WithDefaults<Options, Defaults>>;
export function optionsOf(
  rules: Readonly<Record<string, OptionRule>>,
  {
    allowed = 'an object',
    required = [],
    defaults = {},
  }: OptionsTerms<Readonly<Record<string, unknown>>> = {},
): OptionRule {
  const shape: Record<string, OptionRule> = {};
  for (const [name, each] of Object.entries(rules)) {
    if (Object.hasOwn(defaults, name)) shape[name] = each.default(defaults[name]);
    else shape[name] = required.includes(name) ? each : each.optional();
  }
  const names = Object.keys(shape);
  const named = anyObject<Record<string, unknown>>(allowed).superRefine((given, context) => {
    for (const [name, value] of Object.entries(given))
      if (value !== undefined && !Object.hasOwn(shape, name))
        context.addIssue({
          code: 'custom',
          path: [name],
          message: withMeant(`one of these names: ${names.join(', ')}`, name, names),
          continue: false,
        });
  });
  return named.pipe(z.object(shape));
}

/** An object whose values, under any name, each pass a schema. */
export function mapOf<Value>(
  allowed: string,
  each: OptionRule<Value>,
): OptionRule<Readonly<Record<string, Value>>> {
  return z.record(z.string(), each, allowed).refine(isOptionsObject, allowed);
}

/** Which name a misspelled one may mean, and what is allowed. */
function withMeant(allowed: string, given: unknown, names: readonly string[]): string {
  const meant = typeof given === 'string' ? meantBy(given, names) : undefined;
  return meant === undefined ? allowed : `did you mean ${meant}? Allowed is ${allowed}`;
}

/** The name that a misspelled one may mean, whatever its case. */
function meantBy(given: string, names: readonly string[]): string | undefined {
  if (given.length > 40) return undefined;
  const [best] = names
    .map((name) => ({ name, likeness: likeness(given.toLowerCase(), name.toLowerCase()) }))
    .filter((each) => each.likeness >= 0.4)
    .toSorted((one, other) => other.likeness - one.likeness);
  return best?.name;
}

/** The share of the pairs of neighboring letters in two words that both have: 0 to 1. */
function likeness(one: string, other: string): number {
  const [pairs, others] = [pairsIn(one), pairsIn(other)];
  const common = pairs.filter((pair) => others.includes(pair));
  return (2 * common.length) / (pairs.length + others.length);
}

function pairsIn(word: string): readonly string[] {
  return Array.from(word.slice(1), (letter, index) => word.charAt(index) + letter);
}

/** Makes a value when it is first needed, as for schemas: those of all options take milliseconds. */
export function lazily<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => (made ??= make());
}

export function hasFunctions(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'function');
}

/** Whether something is a model or the id of one. */
export function isModel(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== ''
    : isObject(value) && 'doGenerate' in value && 'modelId' in value;
}
