// Enough to overflow any model; a graph of shared references could grow for ever.
const maxFallbackCharacters = 8_000_000;

/**
 * Gives the JSON text that a provider would send. Where `JSON.stringify` gives up (nesting deeper
 * than the stack, cycles, `bigint`), writes the same text without recursion, a cycle as `null`, and
 * stops after 8 million characters. `undefined` is the empty text.
 */
export function stringifyJson(value: unknown): string {
  try {
    const text: string | undefined = JSON.stringify(value);
    return text ?? '';
  } catch {
    return writeJson(value);
  }
}

type Step =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'leave'; readonly value: object };

function writeJson(root: unknown): string {
  const written: string[] = [];
  const ancestors = new Set<object>();
  const steps: Step[] = [{ type: 'value', value: root }];
  let length = 0;
  const write = (text: string): void => {
    written.push(text);
    length += text.length;
  };
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    if (length > maxFallbackCharacters) break;
    if (step.type === 'text') {
      write(step.text);
    } else if (step.type === 'leave') {
      ancestors.delete(step.value);
    } else if (typeof step.value !== 'object' || step.value === null) {
      write(writeScalar(step.value));
    } else if (ancestors.has(step.value)) {
      write('null');
    } else {
      ancestors.add(step.value);
      pushChildren(steps, step.value);
    }
  }
  return written.join('');
}

function pushChildren(steps: Step[], value: object): void {
  const isArray = Array.isArray(value);
  const entries = Object.entries(value).toReversed();
  steps.push({ type: 'leave', value }, { type: 'text', text: isArray ? ']' : '}' });
  for (const [index, [key, child]] of entries.entries()) {
    const comma = index === entries.length - 1 ? '' : ',';
    steps.push(
      { type: 'value', value: child },
      { type: 'text', text: isArray ? comma : `${comma}${JSON.stringify(key)}:` },
    );
  }
  steps.push({ type: 'text', text: isArray ? '[' : '{' });
}

function writeScalar(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  const text: string | undefined = JSON.stringify(value);
  return text ?? 'null';
}
