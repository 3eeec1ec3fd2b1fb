import { checked } from '../checks/check-object.ts';
import { storeRule, type GivenStore } from '../stores/summary-store.ts';
import type { SettingsFile } from './read-section.ts';
import { messageOf } from '../util/errors.ts';

/** Makes a store from the address that a settings file gives. */
export type StoreMaker = (url: string) => GivenStore;

/** Stores of a program by their names. */
export type StoreMakers = Readonly<Record<string, StoreMaker>>;

/** The store of a name; `undefined` for `"memory"`, which takes the place of one that cannot be made, with a warning. */
export function readStore(
  { path, onWarning }: SettingsFile,
  { name, url }: { readonly name: string; readonly url: string },
  makers: StoreMakers,
): GivenStore | undefined {
  const maker = Object.hasOwn(makers, name) ? makers[name] : undefined;
  if (maker === undefined) return undefined;
  try {
    const store = maker(url);
    checked(storeRule, store, 'store');
    return store;
  } catch (error) {
    const reason = messageOf(error);
    // An address may hold a password.
    const shown = url === '' ? reason : reason.replaceAll(url, 'store.url');
    onWarning(
      `${path}: store.name ${JSON.stringify(name)} makes no store: ${shown}; "memory" is used.`,
    );
    return undefined;
  }
}
