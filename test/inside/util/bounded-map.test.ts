import { expect, it } from 'vitest';
import { boundedMap, type BoundedMap } from '../../../src/util/maps/bounded-map.ts';

/** A map of numbers that weigh what they are, in groups by the first letter of their keys. */
const weights = (maxWeight: number): BoundedMap<number> =>
  boundedMap(
    maxWeight,
    (_key, value) => value,
    (key) => key.slice(0, 1),
  );

/** What it holds of entries that are set one after the other; one without a weight is only read. */
function heldOf(maxWeight: number, entries: readonly (readonly [string, number?])[]): string[] {
  const map = weights(maxWeight);
  for (const [key, weight] of entries)
    if (weight === undefined) map.get(key);
    else map.set(key, weight);
  return [...map.keys()].toSorted();
}

it.each<[string, number, readonly (readonly [string, number?])[], string[]]>([
  ['what was used last', 200, [['a1', 100], ['a2', 100], ['a1'], ['a3', 100]], ['a1', 'a3']],
  [
    'what takes the place of more',
    100,
    [
      ['a1', 90],
      ['a1', 40],
      ['a2', 60],
    ],
    ['a1', 'a2'],
  ],
  [
    'nothing that weighs too much, nor what that replaces',
    300,
    [
      ['b', 200],
      ['a', 100],
      ['a', 301],
    ],
    ['b'],
  ],
  [
    'other groups than the one that weighs most',
    1000,
    [['b1', 300], ['a1', 200], ['a2', 200], ['a3', 200], ['a1'], ['c1', 200]],
    ['a1', 'a3', 'b1', 'c1'],
  ],
  [
    'of equal groups that which was used',
    300,
    [['a', 100], ['b', 100], ['c', 100], ['a'], ['d', 100]],
    ['a', 'c', 'd'],
  ],
  [
    'what is written, though its group weighs most',
    1000,
    [
      ['a1', 500],
      ['b1', 400],
      ['c1', 900],
    ],
    ['c1'],
  ],
])('keeps %s', (_what, maxWeight, entries, held) => {
  expect(heldOf(maxWeight, entries)).toEqual(held);
});

it('lets a greedy group evict nobody else', () => {
  const map = weights(1000);
  const others = ['a1', 'b1', 'c1', 'c2'];
  for (const key of others) map.set(key, 100);
  for (let index = 0; index < 1000; index += 1) map.set(`g${index}`, 50);
  expect(others.map(map.peek)).toEqual([100, 100, 100, 100]);
  expect([map.peek('g999'), map.size()]).toEqual([50, 4 + 12]);
});

it('leaves thousands of groups that nobody uses any more no right to the room of a new one', () => {
  const map = boundedMap<number>(
    100_000,
    (_key, value) => value,
    (key) => key,
  );
  for (let group = 0; group < 1000; group += 1) map.set(`small ${group}`, 100);
  map.set('new', 300);
  for (let group = 1000; group < 1300; group += 1) map.set(`small ${group}`, 100);
  expect([map.peek('new'), map.peek('small 0')]).toEqual([300, undefined]);
});

it('goes through its keys while they change', () => {
  const map = weights(300);
  for (const key of ['a', 'b', 'c']) map.set(key, 100);
  const keys = map.keys();
  expect(keys.next().value).toBe('a');
  map.delete('b');
  map.set('d', 100);
  expect([...keys]).toEqual(['c', 'd']);
});
