import { isObject } from '../util/is-object.ts';
import type { OptionRule } from '../checks/option-rule.ts';
import { settingSections } from '../options/settings.ts';
import type { OnWarning } from './template-source.ts';

/** A settings file as far as it could be read. */
export interface SettingsFile {
  readonly path: string;
  /** `undefined` when it could not be read, which has been said. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  readonly onWarning: OnWarning;
  /** Told of each setting that is missing; they are warned of together. */
  readonly onMissing: (setting: string) => void;
}

/**
 * Reads a section of named settings: a value that is missing or wrong is its default, with a warning that names
 * key, value and what is allowed.
 *
 * @param rules - In the place of those of the table, where those cannot tell.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the table of settings has no types
export function readSection<Section>(
  file: SettingsFile,
  section: keyof ReturnType<typeof settingSections>,
  rules: Readonly<Record<string, OptionRule>> = {},
): Section {
  const { settings } = settingSections()[section];
  const values = sectionOf(file, section);
  if (values !== undefined) warnUnknown(file, values, Object.keys(settings), `${section}.`);
  const read = Object.entries(settings).map(([name, { rule, fallback }]): unknown[] => {
    if (values === undefined) return [name, fallback];
    const value = ownValue(values, name);
    const allowed = refusalOf(rules[name] ?? rule, value);
    if (allowed === undefined) return [name, value];
    if (value === undefined) file.onMissing(`${section}.${name} (${JSON.stringify(fallback)})`);
    else
      warnWrong(
        file,
        `${section}.${name}`,
        value,
        { allowed },
        `${JSON.stringify(fallback)} is used`,
      );
    return [name, fallback];
  });
  return Object.fromEntries(read);
}

/** What is allowed where a value is not; `undefined` for one that is. */
export function refusalOf(rule: OptionRule, value: unknown): string | undefined {
  return rule.safeParse(value).error?.issues[0]?.message;
}

/** The values of a section; `undefined`, with a warning, where it holds none. */
export function sectionOf(
  { path, settings, onWarning, onMissing }: SettingsFile,
  section: string,
): Readonly<Record<string, unknown>> | undefined {
  if (settings === undefined) return undefined;
  const values = ownValue(settings, section);
  if (isObject(values)) return values;
  if (values === undefined) onMissing(section);
  else
    onWarning(`${path}: ${section} is ${shownJson(values)}, not an object; its defaults are used.`);
  return undefined;
}

/** Warns of a value that is not allowed. */
export function warnWrong(
  { path, onWarning }: Pick<SettingsFile, 'path' | 'onWarning'>,
  setting: string,
  value: unknown,
  { allowed }: { readonly allowed: string },
  instead: string,
): void {
  onWarning(
    `${path}: ${setting} is ${shownAs(setting, value)}; ${instead}. Allowed is ${allowed}.`,
  );
}

/** Warns of keys that mean nothing, as a mistyped one would pass unseen; those that begin with `_` are notes. */
export function warnUnknown(
  { path, onWarning }: Pick<SettingsFile, 'path' | 'onWarning'>,
  values: Readonly<Record<string, unknown>>,
  known: readonly string[],
  prefix = '',
): void {
  for (const [name, value] of Object.entries(values)) {
    if (isNote(name) || known.includes(name)) continue;
    const instead = known.length === 0 ? 'none is known there' : `known are ${quotedList(known)}`;
    const setting = prefix + shownJson(name).slice(1, -1);
    onWarning(
      `${path}: ${setting} is ${shownAs(setting, value)}, and no setting of that name is known; it has no effect: ${instead}.`,
    );
  }
}

/** Whether a key is a note. */
export function isNote(name: string): boolean {
  return name.startsWith('_') && name !== '__proto__';
}

/** A value that an object has itself. */
export function ownValue(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** The address of a store may hold a password. */
function shownAs(setting: string, value: unknown): string {
  const mayHoldSecret = setting.startsWith('store.') && setting !== 'store.name';
  return mayHoldSecret ? `a value that is not shown (${typeof value})` : shownJson(value);
}

/** Escaped and shortened: a file may hold anything. */
export function shownJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 120 ? `${json.slice(0, 120)}...` : json;
}

/** Names in quotes: `"a", "b" or "c"`. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
