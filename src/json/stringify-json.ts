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

/** A name that is its own JSON, which is written for every value: `JSON.stringify` takes longer. */
const plainName = /^\w{1,64}$/;

/** An object or array that is being written. */
interface Frame {
  readonly value: object;
  /** Of an object; an array has indexes. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

function writeJson(root: unknown): string {
  const written: string[] = [];
  const frames: Frame[] = [];
  const ancestors = new Set<object>();
  let length = 0;
  const write = (text: string): void => {
    written.push(text);
    length += text.length;
  };
  const begin = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return write(writeScalar(value));
    if (ancestors.has(value)) return write('null');
    ancestors.add(value);
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const size = Array.isArray(value) ? value.length : (names?.length ?? 0);
    frames.push({ value, names, length: size, next: 0 });
    return write(names === undefined ? '[' : '{');
  };
  begin(root);
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (length > maxFallbackCharacters) break;
    const { value, names, next } = frame;
    if (next === frame.length) {
      write(names === undefined ? ']' : '}');
      ancestors.delete(value);
      frames.pop();
      continue;
    }
    frame.next += 1;
    if (next > 0) write(',');
    if (names === undefined) begin(Reflect.get(value, next));
    else {
      const name = names[next] ?? '';
      write(plainName.test(name) ? `"${name}":` : `${JSON.stringify(name)}:`);
      begin(Reflect.get(value, name));
    }
  }
  return written.join('');
}

function writeScalar(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  const text: string | undefined = JSON.stringify(value);
  return text ?? 'null';
}
