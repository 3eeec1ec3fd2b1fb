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

/** Names under which tools take a patch. */
export const patchFields: readonly string[] = ['patch', 'diff', 'patchText', 'input'];

/** The first text or number among some fields of a value, as text. */
export function fieldOf(value: unknown, names: readonly string[]): string | undefined {
  for (const name of names) {
    const field = ownProperty(value, name);
    if (typeof field === 'string' && field !== '') return field;
    if (typeof field === 'number') return String(field);
    if (Array.isArray(field) && field.length > 0 && field.every((item) => typeof item === 'string'))
      return field.join(' ');
  }
  return undefined;
}

/** The whole number in one of some fields of a value. */
export function integerField(value: unknown, names: readonly string[]): number | undefined {
  const number = Number(fieldOf(value, names) ?? Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}

/** A property of any value. */
export function ownProperty(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}
