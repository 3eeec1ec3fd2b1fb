import { checkIsObject, checkObject, checkThat } from '../checks/check-object.ts';
import { checkPrompts } from '../prompts/check-prompts.ts';
import { resolveMessageFilter } from '../strategies/messages/message-filter.ts';
import { checkStrategyOptions } from './check-strategy-options.ts';
import { optionRules, providerRules } from './option-rules.ts';
import type { ProviderOverrides } from './provider-overrides.ts';
import type { SummarizationOptions } from './summarization-options.ts';

/**
 * Checks the options of a middleware once, before any work: all of them, whoever reads them, so that no
 * mistake waits for the day another option is changed.
 *
 * @returns What is to be mended in the prompts but does no harm.
 * @throws {SummarizationOptionError} naming the option, its value and what is allowed.
 */
export function checkOptions(options: SummarizationOptions): readonly string[] {
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
  resolveMessageFilter(options.messageFilter);
  const promptWarnings: string[] = [];
  checkPrompts(options.prompts, (message) => promptWarnings.push(message));
  return promptWarnings;
}

type Ratios = Pick<ProviderOverrides, 'triggerTokenRatio' | 'resetTokenRatio'>;

function ratiosOf({ triggerTokenRatio, resetTokenRatio }: Ratios): Ratios {
  return {
    ...(triggerTokenRatio === undefined ? {} : { triggerTokenRatio }),
    ...(resetTokenRatio === undefined ? {} : { resetTokenRatio }),
  };
}

function checkRatios({ triggerTokenRatio = 0.8, resetTokenRatio }: Ratios, path: string): void {
  const isBelow = resetTokenRatio === undefined || resetTokenRatio < triggerTokenRatio;
  const allowed = `a number below triggerTokenRatio, which is ${triggerTokenRatio}`;
  checkThat(isBelow, `${path}resetTokenRatio`, resetTokenRatio, allowed);
}
