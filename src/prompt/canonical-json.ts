/**
 * Serialises a JSON value with sorted keys, so that key order does not change an identity. Walks with a
 * stack of its own: tool results nested thousands of levels deep must not overflow the call stack.
 *
 * @throws TypeError for a value that holds itself.
 */
export function canonicalJson(value: unknown): string {
  const output: string[] = [];
  const pending: Step[] = [{ value }];
  const around = new Set<unknown>();
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    if ('text' in step) {
      output.push(step.text);
      around.delete(step.closes);
      continue;
    }
    if (around.has(step.value)) throw new TypeError('The value holds itself.');
    if (typeof step.value === 'object' && step.value !== null) around.add(step.value);
    if (Array.isArray(step.value)) pushArray(step.value, pending);
    else if (typeof step.value === 'object' && step.value !== null) pushObject(step.value, pending);
    else output.push(scalar(step.value));
  }
  return output.join('');
}

function scalar(value: unknown): string {
  // No JSON, and so like nothing else.
  if (typeof value === 'bigint') return `${value}n`;
  return JSON.stringify(value) ?? 'null';
}

type Step = { readonly value: unknown } | { readonly text: string; readonly closes?: unknown };

function pushArray(items: readonly unknown[], pending: Step[]): void {
  pending.push({ text: ']', closes: items });
  for (let index = items.length - 1; index >= 0; index -= 1) {
    pending.push({ value: items[index] });
    if (index > 0) pending.push({ text: ',' });
  }
  pending.push({ text: '[' });
}

function pushObject(value: object, pending: Step[]): void {
  const plain: unknown =
    'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
  if (typeof plain !== 'object' || plain === null) {
    pending.push({ text: '', closes: value }, { value: plain });
    return;
  }
  const entries = Object.entries(plain)
    .filter(([, entry]) => entry !== undefined && typeof entry !== 'function')
    .toSorted(([a], [b]) => (a < b ? 1 : -1));
  pending.push({ text: '}', closes: value });
  entries.forEach(([key, entry], index) => {
    pending.push(
      { value: entry },
      { text: `${index === entries.length - 1 ? '' : ','}${JSON.stringify(key)}:` },
    );
  });
  pending.push({ text: '{' });
}
