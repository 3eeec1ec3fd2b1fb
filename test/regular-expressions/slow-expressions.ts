import { check } from 'recheck';

/**
 * What tries an expression counts the characters that are read, and by default the time too, so that on a busy machine
 * it takes a slow moment for a slow expression: only the count decides. What never ends is ended, in milliseconds.
 */
const limits = { timeout: 240_000, incubationTimeout: null, attackTimeout: null };

/** What is wrong with an expression, `undefined` if its time is linear in the text. */
export async function faultOf(source: string, flags: string): Promise<string | undefined> {
  const diagnostics = await check(source, flags, limits);
  if (diagnostics.status === 'safe') return undefined;
  // What the checker does not know is not known to be linear.
  return diagnostics.status === 'vulnerable'
    ? diagnostics.complexity.summary
    : diagnostics.error.kind;
}
