import { SummarizationOptionError } from '../errors/summarization-option-error.ts';
import { checkIsObject, checkObject } from '../checks/check-object.ts';
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
  checkIsObject(options, 'options');
  checkObject(options, optionRules, '');
  checkStrategyOptions(options);
  checkRatios(options, '');
  for (const [name, overrides] of Object.entries(options.providers ?? {})) {
    const path = `providers.${name}`;
    checkIsObject(overrides, path);
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
