import type { ProviderOverrides } from '../options/provider-overrides.ts';
import { isObject } from '../util/is-object.ts';
import {
  isNote,
  refusalOf,
  sectionOf,
  shownJson,
  warnUnknown,
  warnWrong,
  type SettingsFile,
} from './read-section.ts';
import { settingSections } from '../options/settings.ts';

/** The overrides of the section `providers`, by provider or model. What is wrong is left out with a warning. */
export function readProviders(
  file: SettingsFile,
  triggerTokenRatio: number,
): Readonly<Record<string, ProviderOverrides>> {
  const { settings: known } = settingSections().providers;
  const providers = Object.entries(sectionOf(file, 'providers') ?? {}).filter(
    ([name]) => !isNote(name),
  );
  const read = providers.map(([name, values]): unknown[] => {
    const prefix = `providers.${shownJson(name).slice(1, -1)}`;
    if (!isObject(values)) {
      warnWrong(file, prefix, values, { allowed: 'an object' }, 'it has no effect');
      return [name, {}];
    }
    warnUnknown(file, values, Object.keys(known), `${prefix}.`);
    const settings = Object.entries(known).flatMap(([setting, { rule }]) => {
      const value = Object.hasOwn(values, setting) ? values[setting] : undefined;
      if (value === undefined) return [];
      const allowed = refusalOf(rule, value);
      if (allowed === undefined) return [[optionName(setting), value]];
      warnWrong(file, `${prefix}.${setting}`, value, { allowed }, 'it has no effect');
      return [];
    });
    const overrides: ProviderOverrides = Object.fromEntries(settings);
    const trigger = overrides.triggerTokenRatio ?? triggerTokenRatio;
    const reset = keptReset(file, prefix, trigger, overrides.resetTokenRatio);
    // As far from its own trigger as the defaults are: that of all may not be below it.
    const resetTokenRatio =
      reset ?? (overrides.triggerTokenRatio === undefined ? undefined : trigger * 0.875);
    return [name, { ...overrides, resetTokenRatio }];
  });
  return Object.fromEntries(read);
}

/** A reset ratio, unless it is not below the trigger ratio, which is warned of. */
export function keptReset(
  file: Pick<SettingsFile, 'path' | 'onWarning'>,
  section: string,
  triggerTokenRatio: number,
  resetTokenRatio: number | undefined,
): number | undefined {
  if (resetTokenRatio === undefined || resetTokenRatio < triggerTokenRatio) return resetTokenRatio;
  const allowed = `a number below trigger_token_ratio, which is ${triggerTokenRatio}`;
  warnWrong(file, `${section}.reset_token_ratio`, resetTokenRatio, { allowed }, 'it has no effect');
  return undefined;
}

function optionName(setting: string): string {
  return setting.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
