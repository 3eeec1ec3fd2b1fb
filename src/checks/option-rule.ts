import { isObject } from '../util/is-object.ts';

/** What one option accepts. */
export interface OptionRule {
  readonly allowed: string;
  readonly accepts: (value: unknown) => boolean;
  /** What a value is that it does not accept, and what to give instead, where that is known. */
  readonly hint?: (value: unknown) => string | undefined;
}

export const flag: OptionRule = {
  allowed: 'a boolean',
  accepts: (value) => typeof value === 'boolean',
};

export const anyString: OptionRule = {
  allowed: 'a string',
  accepts: (value) => typeof value === 'string',
};

export const anyText: OptionRule = {
  allowed: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};

/**
 * Takes objects of named values: neither lists, nor what has no names to be read and so would count as empty, such as
 * a promise that was not awaited or a Map.
 */
export const anyObject: OptionRule = {
  allowed: 'an object',
  accepts: (value) => /^\[object (?:Object|Module)\]$/.test(Object.prototype.toString.call(value)),
};

export const anyAbortSignal: OptionRule = {
  allowed: 'an AbortSignal',
  accepts: (value) => value instanceof AbortSignal,
};

export const anyFunction: OptionRule = {
  allowed: 'a function',
  accepts: (value) => typeof value === 'function',
};

export function integer(minimum: number, maximum: number = Infinity): OptionRule {
  const range = maximum === Infinity ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  return {
    allowed: `an integer ${range}`,
    accepts: (value) =>
      Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum,
  };
}

export function numberThat(allowed: string, accepts: (value: number) => boolean): OptionRule {
  return { allowed, accepts: (value) => typeof value === 'number' && accepts(value) };
}

export function oneOf(...names: readonly string[]): OptionRule {
  return {
    allowed: names.map((name) => `'${name}'`).join(' or '),
    accepts: (value) => names.some((name) => name === value),
  };
}

export function hasFunctions(value: unknown, ...names: readonly string[]): boolean {
  return isObject(value) && names.every((name) => typeof value[name] === 'function');
}

/** Shortest `secret` that is taken. */
const minSecretLength = 16;

const telemetryRules: Readonly<Record<string, (value: unknown) => boolean>> = {
  isEnabled: isBoolean,
  recordInputs: isBoolean,
  recordOutputs: isBoolean,
  tracer: (value) => hasFunctions(value, 'startActiveSpan'),
  meter: (value) => hasFunctions(value, 'createCounter', 'createHistogram'),
};

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean';
}

/** Rules of options that a middleware shares with `summarize` and the strategies. */
export const commonRules: Readonly<
  Record<'namespace' | 'secret' | 'telemetry' | 'maxTranscriptTokens', OptionRule>
> = {
  namespace: anyString,
  secret: {
    allowed: `a string of at least ${minSecretLength} characters, or a list of one or two of them, the current one first`,
    accepts: (value) =>
      Array.isArray(value)
        ? (value.length === 1 || value.length === 2) && value.every(isSecret)
        : isSecret(value),
  },
  telemetry: {
    allowed:
      'an object with isEnabled, recordInputs and recordOutputs, each a boolean, and a tracer and a meter of OpenTelemetry',
    accepts: (value) =>
      anyObject.accepts(value) &&
      Object.entries(Object(value)).every(
        ([name, each]) =>
          Object.hasOwn(telemetryRules, name) &&
          (each === undefined || telemetryRules[name]?.(each) === true),
      ),
  },
  maxTranscriptTokens: integer(500),
};

function isSecret(value: unknown): boolean {
  return typeof value === 'string' && value.length >= minSecretLength;
}

/** Whether something is a model or the id of one. */
export function isModel(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== ''
    : isObject(value) && 'doGenerate' in value && 'modelId' in value;
}
