/** What was thrown, in words. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // Anything can be thrown, also what cannot be written.
    return 'an error that says nothing';
  }
}
