import { describe, expect, it } from 'vitest';
import { boundedMap } from '../../../../src/util/maps/bounded-map.ts';

describe('boundedMap', () => {
  it('forgets what was not used for longest', () => {
    const map = boundedMap<number>(2);
    map.set('a', 1);
    map.set('b', 2);
    map.get('a');
    map.set('c', 3);
    expect([...map.keys()]).toEqual(['a', 'c']);
  });

  it('counts what entries weigh, also when they are replaced or removed', () => {
    const map = boundedMap<string>(10, (key, value) => key.length + value.length);
    map.set('a', '1234');
    map.set('a', '12');
    map.set('b', '123');
    map.delete('b');
    map.set('c', '123456');
    expect([...map.keys()]).toEqual(['a', 'c']);
  });

  it('does not keep what weighs too much, nor the value it was to replace', () => {
    const map = boundedMap<string>(3, (_key, value) => value.length);
    map.set('a', '123');
    map.set('a', '1234');
    expect([map.get('a'), map.size()]).toEqual([undefined, 0]);
  });
});
