/**
 * Parses stored values, each once while it does not change: a record that is applied on every call is
 * validated on the first. Forgets what was not used for longest.
 */
export function parseCache<T>(
  parse: (value: string) => T,
  maxEntries: number,
): (key: string, value: string) => T {
  const entries = new Map<string, { readonly value: string; readonly parsed: T }>();
  return (key, value) => {
    const known = entries.get(key);
    const entry = known?.value === value ? known : { value, parsed: parse(value) };
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
    return entry.parsed;
  };
}
