import { isObject } from '../util/is-object.ts';
import type { SettingRule } from './setting-rules.ts';
import type { OnWarning } from './warn.ts';

/** What a section is read with. */
export interface SectionSource {
  /** Path of the file, for warnings. */
  readonly path: string;
  /** What the file holds; `undefined` when it could not be read, which has been said. */
  readonly settings: Readonly<Record<string, unknown>> | undefined;
  readonly onWarning: OnWarning;
}

/** Gives a value of a section by the rule of its key. */
export type ReadSetting = <Value>(name: string, rule: SettingRule<Value>) => Value;

/**
 * Makes a reader of one section: a value that is missing or wrong is its default, with a warning that
 * names key and value. Keys that have no rule are warned about; those that begin with `_` are notes.
 */
export function sectionReader(
  { path, settings, onWarning }: SectionSource,
  section: string,
  rules: Readonly<Record<string, unknown>>,
): ReadSetting {
  if (settings === undefined) return (_, rule) => rule.fallback;
  const values = own(settings, section);
  if (!isObject(values)) {
    const what = values === undefined ? 'is missing' : `is ${shownJson(values)}, not an object`;
    onWarning(`${path}: ${section} ${what}; its defaults are used.`);
    return (_, rule) => rule.fallback;
  }
  warnUnknown(values, Object.keys(rules), `${path}: ${section}.`, onWarning);
  return (name, rule) => {
    const value = own(values, name);
    if (rule.accepts(value)) return value;
    const what = value === undefined ? 'is missing' : `is ${shownJson(value)}`;
    onWarning(
      `${path}: ${section}.${name} ${what}; ${JSON.stringify(rule.fallback)} is used. Allowed is ${rule.allowed}.`,
    );
    return rule.fallback;
  };
}

/** Warns about keys that mean nothing, as a mistyped one would pass unseen. */
export function warnUnknown(
  values: Readonly<Record<string, unknown>>,
  known: readonly string[],
  prefix: string,
  onWarning: OnWarning,
): void {
  for (const name of Object.keys(values)) {
    if (name.startsWith('_') && name !== '__proto__') continue;
    if (known.includes(name)) continue;
    onWarning(
      `${prefix}${shownJson(name).slice(1, -1)} is ${shownJson(values[name])}, and no setting of that name is known; it has no effect.`,
    );
  }
}

function own(values: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** Escaped and shortened: a file may hold anything. */
function shownJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length > 120 ? `${json.slice(0, 120)}...` : json;
}
