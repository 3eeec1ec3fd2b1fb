import type { SummaryStore } from '../../src/index.ts';

/** Writes a value over whatever stands there. Returns whether the store says that it has. */
export async function put(
  store: SummaryStore,
  key: string,
  value: string,
  options: { readonly ttlMs?: number | undefined } = {},
): Promise<boolean> {
  const held = await store.get(key);
  return store.compareAndSet(key, { expected: held ?? undefined, value, ...options });
}

/** Writes a value where there is none. Returns whether the store says that it has. */
export async function add(
  store: SummaryStore,
  key: string,
  value: string,
  options: { readonly ttlMs?: number | undefined } = {},
): Promise<boolean> {
  return store.compareAndSet(key, { expected: undefined, value, ...options });
}
