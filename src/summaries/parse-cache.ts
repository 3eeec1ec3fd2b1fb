import { boundedMap } from '../util/bounded-map.ts';

/** Parses stored values, each once while it does not change. */
export interface ParseCache<T> {
  readonly parse: (key: string, value: string) => T;
  /** Forgets a value that is no longer stored. */
  readonly forget: (key: string) => void;
}

/**
 * Makes a cache of parsed values: a record that is applied on every call is validated on the first.
 *
 * @param maxBytes - Bytes of keys and values it may hold, counted as two a character.
 */
export function parseCache<T>(parse: (value: string) => T, maxBytes: number): ParseCache<T> {
  const entries = boundedMap<{ readonly value: string; readonly parsed: T }>(
    maxBytes,
    (key, { value }) => 2 * (key.length + value.length),
  );
  return {
    forget: entries.delete,
    parse: (key, value) => {
      const known = entries.get(key);
      if (known?.value === value) return known.parsed;
      const parsed = parse(value);
      entries.set(key, { value, parsed });
      return parsed;
    },
  };
}
