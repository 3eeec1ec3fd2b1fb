import { canonicalJson } from '../json/write-json.ts';
import { runAtOnce } from '../util/async/run-steps.ts';
import type { SummaryStore } from '../stores/summary-store.ts';

/** One thing that a store has to do, for any test runner. */
export interface StoreCheck {
  readonly name: string;
  /** Rejects when the store does otherwise. */
  readonly run: () => Promise<void>;
}

/** Checks by their names, each given a store and a name that no other check uses. */
export type ChecksOf<Store> = Readonly<
  Record<string, (store: Store, name: string) => Promise<void>>
>;

/** Makes checks for any test runner, each with a store and a name of its own. */
export function checksFor<Store>(
  checks: ChecksOf<Store>,
  makeStore: () => Store | Promise<Store>,
  newName: () => string,
): readonly StoreCheck[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    run: async () => check(await makeStore(), newName()),
  }));
}

/**
 * Throws unless two values say the same as JSON.
 *
 * @throws {Error} with both values, or their ends where they are long.
 */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  const [got, wanted] = [actual, expected].map((value) => runAtOnce(canonicalJson(value)));
  if (got !== wanted) throw new Error(`${what}: expected ${shown(wanted)}, got ${shown(got)}`);
}

/** Values of a megabyte would leave nothing else to see. */
function shown(json: string | undefined): string {
  const text = String(json);
  return text.length > 2000 ? `${text.slice(0, 1000)} ... ${text.slice(-1000)}` : text;
}

/** Whether there is a value: anything but a string says that there is none. */
export function isThere(value: string | null | undefined): value is string {
  return typeof value === 'string';
}

/** Writes a value over whatever stands there. Returns whether the store says that it has. */
export async function put(
  store: SummaryStore,
  key: string,
  value: string,
  ttlMs?: number,
): Promise<boolean> {
  const held = await store.get(key);
  const expected = isThere(held) ? held : undefined;
  return store.compareAndSet(key, { expected, value, ttlMs });
}

/** Writes a value where there is none. Returns whether the store says that it has. */
export async function add(
  store: SummaryStore,
  key: string,
  value: string,
  ttlMs?: number,
): Promise<boolean> {
  return store.compareAndSet(key, { expected: undefined, value, ttlMs });
}

/** @throws {Error} when there is a value. */
export function expectNothing(value: string | null | undefined, what: string): void {
  if (isThere(value)) expectSame(value, undefined, what);
}
