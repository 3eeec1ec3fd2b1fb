/** Waiting longer than this inside a request helps nobody. */
const maxWaitMs = 60_000;

/**
 * Reads how long a provider asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as a date.
 *
 * @param now - Milliseconds since the epoch, to which a date is compared.
 * @returns Milliseconds from 0 to 60,000; `undefined` if there is no usable header.
 */
export function parseRetryAfter(
  headers: Readonly<Record<string, string>> | undefined,
  now: number,
): number | undefined {
  const byName = new Map(
    Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value.trim()]),
  );
  const ms = toNumber(byName.get('retry-after-ms'));
  const seconds = toNumber(byName.get('retry-after'));
  const date = Date.parse(byName.get('retry-after') ?? '');
  const wait = ms ?? (seconds === undefined ? date - now : seconds * 1000);
  return Number.isNaN(wait) ? undefined : Math.min(Math.max(wait, 0), maxWaitMs);
}

/** Plain decimal numbers only: `Number` would read an empty header as 0 and `0x10` as 16. */
function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}
