import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { boundedMap } from '../../../../src/foundations/util/maps/bounded-map.ts';
import { sumOf } from '../../../../src/foundations/util/numbers.ts';

it('a bounded map never weighs more than it may, and holds what was written last', () => {
  const keys = fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1');
  const writes = fc.array(fc.record({ key: keys, weight: fc.nat(12) }), { maxLength: 40 });
  const bounded = fc.property(writes, (all) => {
    const map = boundedMap<number>(
      10,
      (_key, weight) => weight,
      (key) => key.charAt(0),
    );
    for (const { key, weight } of all) {
      map.set(key, weight);
      expect(sumOf([...map.keys()], (each) => map.peek(each) ?? 0)).toBeLessThanOrEqual(10);
      expect(map.get(key)).toBe(weight > 10 ? undefined : weight);
    }
  });
  fc.assert(bounded);
});
