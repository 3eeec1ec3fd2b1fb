/** `JSON.stringify` is recursive and fails on a few thousand levels; nobody reads as many as this. */
const maxDepth = 64;

/**
 * Copies a value of unknown origin into one that `JSON.stringify` accepts: nesting beyond 64 levels,
 * cycles and binary data become placeholders. Every string, number and key passes through `clean`.
 */
export function boundJson(
  value: unknown,
  clean: (text: string) => string,
  ancestors: readonly object[] = [],
): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value === 'bigint') return clean(String(value));
  if (typeof value === 'number') return cleanNumber(value, clean);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return `[binary data, ${value.byteLength} bytes]`;
  if (value instanceof Date || value instanceof URL)
    return clean(JSON.stringify(value).slice(1, -1));
  if (ancestors.includes(value)) return '[circular]';
  if (ancestors.length >= maxDepth) return '[nested too deeply]';
  const path = [...ancestors, value];
  if (Array.isArray(value)) return value.map((element) => boundJson(element, clean, path));
  // Built from entries: assigning would let a key `__proto__` replace the prototype.
  return Object.fromEntries(
    Object.entries(value).map(([key, element]) => [clean(key), boundJson(element, clean, path)]),
  );
}

/** A card's number is one; a number that stays as it is remains a number. */
function cleanNumber(value: number, clean: (text: string) => string): number | string {
  const text = String(value);
  const cleaned = clean(text);
  return cleaned === text ? value : cleaned;
}
