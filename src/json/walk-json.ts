import type { Steps } from '../util/async/run-steps.ts';
import { isObject } from '../util/is-object.ts';
import { jsonSteps } from './json-steps.ts';
import { stringifyJson } from './stringify-json.ts';
import { isWideObject, mostNamesAtOnce, namesOf } from './wide-objects.ts';

/** Told about the pieces of a JSON value in their order. */
export interface JsonVisitor {
  readonly text: (text: string) => void;
  readonly number: (value: number) => void;
}

/** How much of JSON values is walked at once. */
export interface WalkBudget {
  /** Elements that may still be walked. */
  left: number;
}

/** Elements that are walked at once: under 1 ms. */
export const maxWalked: number = mostNamesAtOnce + 1;

/** Elements of a value that is walked in steps; shared references may come to any number. */
const maxElements = 32_000_000;

/** What went beyond a budget once. Only a hint that its text had better be written in steps. */
const largeValues = new WeakSet<object>();

/** Whether a value went beyond a budget when it was walked. */
export function isLargeJson(value: unknown): value is object {
  return typeof value === 'object' && value !== null && largeValues.has(value);
}

/** Deeper values are written as text, which needs no call stack. */
const maxWalkDepth = 100;

/** Stand before values, so that no two values read alike; `unread` where a walk broke off. */
const marks = {
  null: 1,
  true: 2,
  false: 3,
  number: 4,
  array: 5,
  object: 6,
  end: 7,
  written: 8,
  unread: 9,
  bigint: 10,
};

/**
 * Walks a JSON value without writing its text, which takes longer than parsing it did. What
 * `JSON.stringify` leaves out is passed over; keys come in their own order.
 *
 * @param budget - Without it all is walked, and at once.
 * @returns whether it came to the end; if not, the visitor has seen a part.
 * @throws TypeError for a value that holds itself, as `JSON.stringify` does: its walk need not end.
 */
export function walkJson(value: unknown, visitor: JsonVisitor, budget?: WalkBudget): boolean {
  if (walk(value, { visitor, around: [], budget })) return true;
  visitor.number(marks.unread);
  largeValues.add(Object(value));
  return false;
}

function visitWritten(text: string, visitor: JsonVisitor): void {
  visitor.number(marks.written);
  visitor.text(text);
}

/**
 * Walks a value of any size in steps between which others may work.
 *
 * @throws TypeError for a value that holds itself.
 * @throws RangeError for one of more than 32 million elements, or 100,000 levels.
 */
export function* walkSteps(root: unknown, visitor: JsonVisitor): Steps<void> {
  let elements = 0;
  yield* jsonSteps(root, {
    begin: (value, _depth, isAround) => {
      elements += 1;
      if (elements > maxElements) throw new RangeError('The value is too long.');
      if (typeof value !== 'object' || value === null) walkScalar(value, visitor);
      else if (isAround(value)) throw new TypeError('The value holds itself.');
      else if (!writesItself(value, visitor)) {
        visitor.number(Array.isArray(value) ? marks.array : marks.object);
        return value;
      }
      return undefined;
    },
    element: (place, element) => {
      if (typeof place === 'number') return true;
      if (element === undefined || typeof element === 'function') return false;
      visitor.text(place);
      return true;
    },
    end: () => visitor.number(marks.end),
  });
}

function walkScalar(value: unknown, visitor: JsonVisitor): void {
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
    case 'bigint':
      visitor.number(marks.bigint);
      visitor.text(String(value));
      return;
    default:
      visitor.number(marks.null);
  }
}

interface Walk {
  readonly visitor: JsonVisitor;
  readonly around: object[];
  readonly budget: WalkBudget | undefined;
}

function walk(value: unknown, on: Walk): boolean {
  if (typeof value === 'object' && value !== null) return walkObject(value, on);
  walkScalar(value, on.visitor);
  return true;
}

function walkObject(value: object, on: Walk): boolean {
  const { visitor, around, budget } = on;
  // Few at a time: a set costs more than looking at them.
  if (around.includes(value)) throw new TypeError('The value holds itself.');
  if (around.length === maxWalkDepth) {
    if (budget !== undefined) return false;
    visitWritten(stringifyJson(value), visitor);
  } else if (Array.isArray(value)) {
    if (!mayWalk(value.length, budget)) return false;
    visitor.number(marks.array);
    around.push(value);
    for (const item of value) if (!walk(item, on)) return false;
    around.pop();
    visitor.number(marks.end);
  } else if (!writesItself(value, visitor) && isObject(value)) {
    // No budget would do.
    if (budget !== undefined && isWideObject(value)) return false;
    const names = namesOf(value);
    if (!mayWalk(names.length, budget)) return false;
    visitor.number(marks.object);
    around.push(value);
    for (const name of names) {
      const item = value[name];
      if (item === undefined || typeof item === 'function') continue;
      visitor.text(name);
      if (!walk(item, on)) return false;
    }
    around.pop();
    visitor.number(marks.end);
  }
  return true;
}

function mayWalk(elements: number, budget: WalkBudget | undefined): boolean {
  if (budget === undefined) return true;
  budget.left -= elements + 1;
  return budget.left >= 0;
}

/** Writes a value that says itself what its JSON is. */
function writesItself(value: object, visitor: JsonVisitor): boolean {
  if (Array.isArray(value) || !('toJSON' in value) || typeof value.toJSON !== 'function')
    return false;
  visitWritten(stringifyJson(value), visitor);
  return true;
}
