import { check } from 'recheck';

/** Milliseconds for one expression; the slowest takes one second on a quiet machine. */
const timeout = 60_000;

/** What is wrong with an expression, `undefined` if its time is linear in the text. */
export async function faultOf(source: string, flags: string): Promise<string | undefined> {
  const diagnostics = await check(source, flags, { timeout });
  if (diagnostics.status === 'safe') return undefined;
  // What the checker does not know is not known to be linear.
  return diagnostics.status === 'vulnerable'
    ? diagnostics.complexity.summary
    : diagnostics.error.kind;
}
