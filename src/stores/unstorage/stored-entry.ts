/**
 * A value as it is stored: behind the moment, in milliseconds since 1970, at which its time has passed, because many
 * drivers keep no time. It begins with a letter: what looks like JSON, unstorage and some drivers would give back
 * parsed.
 */
export function writeEntry(value: string, ttlMs: number): string {
  const expiresAt = Math.min(Math.ceil(Date.now() + ttlMs), Number.MAX_SAFE_INTEGER);
  return `expires ${expiresAt}: ${value}`;
}

/** The value of what is stored, unless its time has passed or it is something else. */
export function readEntry(stored: unknown): string | undefined {
  const entry = typeof stored === 'string' ? /^expires (\d+): /.exec(stored) : null;
  if (entry === null || Number(entry[1]) <= Date.now()) return undefined;
  return entry.input.slice(entry[0].length);
}
