// oxlint-disable typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- the point of it

/** A value as a caller without types may pass it, whatever is asked for. */
export function untyped<T>(value: unknown): T {
  return value as T;
}
