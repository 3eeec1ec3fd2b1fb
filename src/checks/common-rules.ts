import { isObject } from '../util/is-object.ts';
import { anyString, hasFunctions, integer, type OptionRule } from './option-rule.ts';

/** Shortest `secret` that is taken. */
const minSecretLength = 16;

const telemetryNames = new Set(['isEnabled', 'recordInputs', 'recordOutputs']);

/** Rules of options that a middleware shares with `summarize` and the strategies. */
export const commonRules: Readonly<
  Record<'namespace' | 'secret' | 'telemetry' | 'maxTranscriptTokens', OptionRule>
> = {
  namespace: anyString,
  secret: {
    allowed: `a string of at least ${minSecretLength} characters`,
    accepts: (value) => typeof value === 'string' && value.length >= minSecretLength,
  },
  telemetry: {
    allowed: 'an object with isEnabled, recordInputs and recordOutputs, each a boolean',
    accepts: (value) =>
      isObject(value) &&
      Object.entries(value).every(
        ([name, each]) =>
          telemetryNames.has(name) && (each === undefined || typeof each === 'boolean'),
      ),
  },
  maxTranscriptTokens: integer(500),
};

/** Whether something is a model or the id of one. */
export function isModel(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== ''
    : isObject(value) && 'doGenerate' in value && 'modelId' in value;
}

/** Whether something has what a store needs. */
export function isStore(value: unknown): boolean {
  return hasFunctions(value, 'get', 'set', 'delete');
}
