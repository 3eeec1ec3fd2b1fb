/** A JSON object whose fields have not been looked at yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** Tells a plain object from every other value. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads an object; anything else reads as one without fields. */
export function record(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** Reads an array; anything else reads as an empty one. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Reads an array of objects. */
export function records(value: unknown): JsonRecord[] {
  return list(value).map((entry) => record(entry));
}

/** Reads a string; anything else reads as the empty one. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
