import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkObject } from '../errors/check-object.ts';
import { checkStrategyOptions } from './check-strategy-options.ts';
import { optionRules, providerRules } from './option-rules.ts';
import type { ProviderOverrides } from './provider-overrides.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/**
 * Checks the options of a middleware once, before any work.
 *
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function checkOptions(options: SummarizationOptions): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new SummarizationOptionError({ option: 'options', value: options, allowed: 'an object' });
  checkObject(options, optionRules, '');
  checkStrategyOptions(options);
  checkRatios(options, '');
  for (const [name, overrides] of Object.entries(options.providers ?? {})) {
    const path = `providers.${name}`;
    if (typeof overrides !== 'object' || overrides === null || Array.isArray(overrides))
      throw new SummarizationOptionError({ option: path, value: overrides, allowed: 'an object' });
    checkObject(overrides, providerRules, `${path}.`);
    checkRatios({ ...ratiosOf(options), ...ratiosOf(overrides) }, `${path}.`);
  }
}

type Ratios = Pick<ProviderOverrides, 'triggerTokenRatio' | 'resetTokenRatio'>;

function ratiosOf({ triggerTokenRatio, resetTokenRatio }: Ratios): Ratios {
  return {
    ...(triggerTokenRatio === undefined ? {} : { triggerTokenRatio }),
    ...(resetTokenRatio === undefined ? {} : { resetTokenRatio }),
  };
}

function checkRatios({ triggerTokenRatio = 0.8, resetTokenRatio }: Ratios, path: string): void {
  if (resetTokenRatio !== undefined && resetTokenRatio >= triggerTokenRatio)
    throw new SummarizationOptionError({
      option: `${path}resetTokenRatio`,
      value: resetTokenRatio,
      allowed: `a number below triggerTokenRatio, which is ${triggerTokenRatio}`,
    });
}
