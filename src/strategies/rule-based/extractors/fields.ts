/** The first text or number among some fields of a value, as text. */
export function fieldOf(value: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const field = propertyOf(value, name);
    if (typeof field === 'string' && field !== '') return field;
    if (typeof field === 'number') return String(field);
    if (Array.isArray(field) && field.length > 0 && field.every(isText)) return field.join(' ');
  }
  return undefined;
}

/** The whole number in one of some fields of a value. */
export function numberOf(value: unknown, names: readonly string[]): number | undefined {
  const text = fieldOf(value, names);
  const number = text === undefined ? Number.NaN : Number(text);
  return Number.isInteger(number) ? number : undefined;
}

/** A property of any value. */
export function propertyOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

/** Names under which tools take a file. */
export const pathFields: readonly string[] = [
  'path',
  'file_path',
  'filePath',
  'filename',
  'file_name',
  'file',
  'target_file',
  'targetFile',
  'absolute_path',
  'relative_path',
  'notebook_path',
  'uri',
];

/** A fact with its label, none without a value. */
export function fact(label: string, value: string | number | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : [`${label}: ${value}`];
}

/** Metadata without the entries that are not there. */
export function known(entries: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
