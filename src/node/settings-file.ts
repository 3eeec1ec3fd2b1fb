import type { OptionRule } from '../checks/option-rule.ts';
import { settingSections } from '../options/settings.ts';
import { isObject } from '../util/is-object.ts';
import { readTextFile } from './read-text-file.ts';
import type { OnWarning } from './template-files.ts';

type Values = Readonly<Record<string, unknown>>;

/** A settings file as far as it could be read. */
export interface SettingsFile {
  readonly path: string;
  /** `undefined` when it could not be read, which has been said. */
  readonly settings: Values | undefined;
  /** Told what is wrong with it. */
  readonly warn: OnWarning;
  /** What is missing in it, to be warned of together. */
  readonly missing: string[];
}

/** Reads a file; one that is no JSON object is warned of. */
export function openSettings(path: string, onWarning: OnWarning): SettingsFile {
  const warn = (message: string): void => onWarning(`${path}: ${message}`);
  const opened = { path, warn, missing: [] };
  const file = readTextFile(path);
  let reason = file.ok ? 'it is not a JSON object' : file.reason;
  try {
    const settings: unknown = file.ok ? JSON.parse(file.text) : undefined;
    if (isObject(settings)) {
      const { $schema: _ofEditors, ...others } = settings;
      warnUnknown(opened, others, Object.keys(settingSections()));
      return { ...opened, settings };
    }
  } catch (error) {
    // Not the whole message: it quotes the file, which may hold the password of a store.
    const [place = ''] = / at position \d+ \(line \d+ column \d+\)/.exec(String(error)) ?? [];
    reason = `it is not JSON${place}`;
  }
  warn(`${reason}; the default settings are used.`);
  return { ...opened, settings: undefined };
}

/**
 * Reads a section of named settings: a value that is missing or wrong is its default, with a warning that names
 * key, value and what is allowed.
 *
 * @param rules - In the place of those of the table, where those cannot tell.
 */
export function readSection(
  file: SettingsFile,
  section: keyof ReturnType<typeof settingSections>,
  rules: Readonly<Record<string, OptionRule>> = {},
): Values {
  const { settings } = settingSections()[section];
  const values = sectionOf(file, section);
  if (values !== undefined) warnUnknown(file, values, Object.keys(settings), `${section}.`);
  const read = Object.entries(settings).map(([name, { rule, fallback }]): unknown[] => {
    if (values === undefined) return [name, fallback];
    const value = ownValue(values, name);
    const shown = JSON.stringify(fallback);
    if (value === undefined) file.missing.push(`${section}.${name} (${shown})`);
    else if (accepts(file, rules[name] ?? rule, `${section}.${name}`, value, `${shown} is used`))
      return [name, value];
    return [name, fallback];
  });
  return Object.fromEntries(read);
}

/** The values of a section, its notes aside; `undefined`, with a warning, where it holds none. */
export function sectionOf(
  { settings, warn, missing }: SettingsFile,
  section: string,
): Values | undefined {
  if (settings === undefined) return undefined;
  const values = ownValue(settings, section);
  if (isObject(values)) return withoutNotes(values);
  if (values === undefined) missing.push(section);
  else warn(`${section} is ${shownJson(values)}, not an object; its defaults are used.`);
  return undefined;
}

/** Whether a rule accepts a value; if not, it is warned of. */
export function accepts(
  file: Pick<SettingsFile, 'warn'>,
  rule: OptionRule,
  setting: string,
  value: unknown,
  instead = 'it has no effect',
): boolean {
  const allowed = refusalOf(rule, value);
  if (allowed !== undefined)
    file.warn(`${setting} is ${shownAs(setting, value)}; ${instead}. Allowed is ${allowed}.`);
  return allowed === undefined;
}

/** What is allowed where a value is not; `undefined` for one that is. */
export function refusalOf(rule: OptionRule, value: unknown): string | undefined {
  return rule.safeParse(value).error?.issues[0]?.message;
}

/** Warns of keys that mean nothing, as a mistyped one would pass unseen. */
export function warnUnknown(
  { warn }: Pick<SettingsFile, 'warn'>,
  values: Values,
  known: readonly string[],
  prefix = '',
): void {
  const instead = known.length === 0 ? 'none is known there' : `known are ${quotedList(known)}`;
  for (const [name, value] of Object.entries(withoutNotes(values))) {
    const setting = prefix + shownName(name);
    if (!known.includes(name))
      warn(
        `${setting} is ${shownAs(setting, value)}, and no setting of that name is known; it has no effect: ${instead}.`,
      );
  }
}

/** Without the keys that begin with `_`. */
export function withoutNotes(values: Values): Values {
  const named = Object.entries(values);
  return Object.fromEntries(
    named.filter(([name]) => !name.startsWith('_') || name === '__proto__'),
  );
}

/** A value that an object has itself. */
export function ownValue<Value>(
  values: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
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

/** A name of a file, escaped and shortened. */
export function shownName(name: string): string {
  return shownJson(name).slice(1, -1);
}

/** Names in quotes: `"a", "b" or "c"`. */
export function quotedList(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} or ${last}`;
}
