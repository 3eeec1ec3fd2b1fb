import type { TimeSlices } from '../util/time-slices.ts';

/** `JSON.stringify` is recursive and fails on a few thousand levels; nobody reads as many as this. */
const maxDepth = 64;

/** Values after which placeholders stand: shared references could grow for ever. */
const maxValues = 2_000_000;

/** An object or array whose elements are being copied. */
interface Frame {
  readonly source: object;
  readonly copy: unknown[] | Record<string, unknown>;
  /** Absent for an array. */
  readonly keys: readonly string[] | undefined;
  readonly length: number;
  next: number;
}

/**
 * Copies a value of unknown origin into one that `JSON.stringify` accepts: nesting beyond 64 levels,
 * cycles and binary data become placeholders. Every string, number and key passes through `clean`.
 */
export async function boundJson(
  value: unknown,
  clean: (text: string) => string,
  slices: TimeSlices,
): Promise<unknown> {
  const stack: Frame[] = [];
  let values = 0;
  const copied = (element: unknown): unknown => {
    values += 1;
    if (typeof element === 'string') return clean(element);
    if (typeof element === 'bigint') return clean(String(element));
    if (typeof element === 'number') return cleanNumber(element, clean);
    if (typeof element !== 'object' || element === null) return element;
    if (element instanceof Uint8Array) return `[binary data, ${element.byteLength} bytes]`;
    if (element instanceof Date || element instanceof URL)
      return clean(JSON.stringify(element).slice(1, -1));
    if (stack.some(({ source }) => source === element)) return '[circular]';
    if (stack.length >= maxDepth) return '[nested too deeply]';
    if (values > maxValues) return '[too many values]';
    const frame = frameOf(element);
    stack.push(frame);
    return frame.copy;
  };
  const root = copied(value);
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const { source, copy, keys, next } = frame;
    if (next >= frame.length) {
      stack.pop();
      continue;
    }
    frame.next += 1;
    const key = keys?.[next];
    const element = copied(Reflect.get(source, key ?? next));
    if (Array.isArray(copy)) copy.push(element);
    else setOwn(copy, clean(key ?? ''), element);
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  return root;
}

function frameOf(source: object): Frame {
  if (Array.isArray(source))
    return { source, copy: [], keys: undefined, length: source.length, next: 0 };
  const keys = Object.keys(source);
  return { source, copy: {}, keys, length: keys.length, next: 0 };
}

function setOwn(copy: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    // Assigning would replace the prototype.
    Object.defineProperty(copy, key, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  else copy[key] = value;
}

/** A card's number is one; a number that stays as it is remains a number. */
function cleanNumber(value: number, clean: (text: string) => string): number | string {
  const text = String(value);
  const cleaned = clean(text);
  return cleaned === text ? value : cleaned;
}
