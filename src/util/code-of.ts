/** The code of a system error, such as `EACCES`, or the kind of another. */
export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  const code: unknown = Reflect.get(error, 'code');
  return typeof code === 'string' ? code : error.name;
}
