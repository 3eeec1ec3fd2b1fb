import { describe, expect, it } from 'vitest';
import { boundedMap, type BoundedMap } from '../../../../src/util/maps/bounded-map.ts';

const groupOf = (key: string): string => key.slice(0, 1);

/** A map of numbers that weigh what they are, in groups by the first letter of their keys. */
function weights(maxWeight: number): BoundedMap<number> {
  return boundedMap(maxWeight, (_key, value) => value, groupOf);
}

function heldIn(map: BoundedMap<number>): string[] {
  return [...map.keys()].toSorted();
}

describe('a bounded map of groups', () => {
  it('forgets what was not used for longest of the group that weighs most', () => {
    const map = weights(1000);
    map.set('b1', 300);
    map.set('a1', 200);
    map.set('a2', 200);
    map.set('a3', 200);
    map.get('a1');
    map.set('c1', 200);
    expect(heldIn(map)).toEqual(['a1', 'a3', 'b1', 'c1']);
  });

  it('lets a greedy group evict nobody else', () => {
    const map = weights(1000);
    const others = ['a1', 'b1', 'c1', 'c2'];
    for (const key of others) map.set(key, 100);
    for (let index = 0; index < 1000; index += 1) map.set(`g${index}`, 50);
    expect(others.map(map.peek)).toEqual([100, 100, 100, 100]);
    expect(map.peek('g999')).toBe(50);
    expect(map.size()).toBe(4 + 12);
  });

  it('forgets of equal groups the one that was not used for longest', () => {
    const map = weights(300);
    for (const key of ['a', 'b', 'c']) map.set(key, 100);
    map.get('a');
    map.set('d', 100);
    expect(heldIn(map)).toEqual(['a', 'c', 'd']);
  });

  it('reads without using', () => {
    const map = weights(200);
    map.set('a', 100);
    map.set('b', 100);
    expect([map.peek('a'), map.peek('c')]).toEqual([100, undefined]);
    map.set('c', 100);
    expect(heldIn(map)).toEqual(['b', 'c']);
  });

  it('keeps what is being written, even where its group weighs most', () => {
    const map = weights(1000);
    map.set('a1', 500);
    map.set('b1', 400);
    map.set('c1', 600);
    expect(heldIn(map)).toEqual(['b1', 'c1']);
    map.set('c1', 900);
    expect(heldIn(map)).toEqual(['c1']);
  });

  it('does not keep what weighs too much, nor the value it was to replace', () => {
    const map = weights(300);
    map.set('b', 200);
    map.set('a', 100);
    map.set('a', 301);
    expect([heldIn(map), map.get('a')]).toEqual([['b'], undefined]);
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

  it('holds as many groups as entries, and nothing of those that are empty', () => {
    let names = 0;
    const map = boundedMap<number>(
      10_000,
      () => 1,
      (key) => {
        names += 1;
        return key;
      },
    );
    for (let group = 0; group < 20_000; group += 1) map.set(`group ${group}`, group);
    expect([map.size(), names]).toEqual([10_000, 20_000]);
    expect([map.peek('group 9999'), map.peek('group 10000')]).toEqual([undefined, 10_000]);
    for (const key of map.keys()) map.delete(key);
    map.set('last', 1);
    expect([...map.keys()]).toEqual(['last']);
  });
});
