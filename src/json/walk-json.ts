import { stringifyJson } from './stringify-json.ts';

/** Told about the pieces of a JSON value in their order. */
export interface JsonVisitor {
  readonly text: (text: string) => void;
  readonly number: (value: number) => void;
}

/** Deeper values are written as text, which needs no call stack. */
const maxDepth = 100;

const marks = { null: 1, true: 2, false: 3, number: 4, array: 5, object: 6, end: 7, written: 8 };

/**
 * Walks a JSON value without writing its text, which takes longer than parsing it did. What
 * `JSON.stringify` leaves out is passed over; keys come in their own order.
 *
 * @throws TypeError for a value that holds itself, as `JSON.stringify` does: its walk need not end.
 */
export function walkJson(value: unknown, visitor: JsonVisitor): void {
  walk(value, visitor, []);
}

function walk(value: unknown, visitor: JsonVisitor, around: object[]): void {
  switch (typeof value) {
    case 'string':
      visitor.text(value);
      return;
    case 'number':
      visitor.number(marks.number);
      visitor.number(value);
      return;
    case 'boolean':
      visitor.number(value ? marks.true : marks.false);
      return;
    case 'object':
      if (value === null) visitor.number(marks.null);
      else walkObject(value, visitor, around);
      return;
    case 'bigint':
      visitor.text(String(value));
      return;
    default:
      visitor.number(marks.null);
  }
}

function walkObject(value: object, visitor: JsonVisitor, around: object[]): void {
  // Few at a time: a set costs more than looking at them.
  if (around.includes(value)) throw new TypeError('The value holds itself.');
  if (around.length === maxDepth) {
    visitor.number(marks.written);
    visitor.text(stringifyJson(value));
  } else if (Array.isArray(value)) {
    visitor.number(marks.array);
    around.push(value);
    for (const item of value) walk(item, visitor, around);
    around.pop();
    visitor.number(marks.end);
  } else if ('toJSON' in value && typeof value.toJSON === 'function') {
    visitor.number(marks.written);
    visitor.text(stringifyJson(value));
  } else if (isRecord(value)) {
    visitor.number(marks.object);
    around.push(value);
    for (const name of Object.keys(value)) {
      const item = value[name];
      if (item === undefined || typeof item === 'function') continue;
      visitor.text(name);
      walk(item, visitor, around);
    }
    around.pop();
    visitor.number(marks.end);
  }
}

function isRecord(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}
