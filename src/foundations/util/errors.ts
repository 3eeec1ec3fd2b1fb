/** The thrown value, in words. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    // Anything can be thrown, also what cannot be written.
    return 'an error that says nothing';
  }
}

/** The code of a system error, such as `EACCES`, or the kind of another. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
}
