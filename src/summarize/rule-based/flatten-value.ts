/** Nobody reads as many levels as this. */
const maxDepth = 64;

/**
 * Writes a JSON value of unknown origin as plain text, `key: value, key: value`: what people and models
 * quote from it, without the quotes, braces and escapes that would cost tokens. Cycles and nesting
 * beyond 64 levels are left out.
 */
export function flattenValue(value: unknown): string {
  const written: string[] = [];
  write(value, written, []);
  return written.join('');
}

function write(value: unknown, written: string[], ancestors: readonly object[]): void {
  if (typeof value !== 'object' || value === null) {
    written.push(typeof value === 'string' ? value : String(value));
    return;
  }
  if (value instanceof Uint8Array) {
    written.push(`${value.byteLength} bytes`);
    return;
  }
  if (ancestors.length >= maxDepth || ancestors.includes(value)) return;
  const path = [...ancestors, value];
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      if (index > 0) written.push(', ');
      write(element, written, path);
    }
    return;
  }
  for (const [index, [key, element]] of Object.entries(value).entries()) {
    if (element === undefined) continue;
    written.push(index > 0 ? ', ' : '', key, ': ');
    write(element, written, path);
  }
}
