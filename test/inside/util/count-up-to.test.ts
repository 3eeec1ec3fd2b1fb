import { describe, expect, it } from 'vitest';
import { countUpTo } from '../../../src/util/numbers.ts';

describe('countUpTo', () => {
  it.each([
    ['none', [], 5, 0],
    ['none that is not above', [3, 4], 2, 0],
    ['one that is equal', [3, 4], 3, 1],
    ['equal ones all', [1, 3, 3, 3, 7], 3, 4],
    ['all', [1, 2, 3], 9, 3],
  ])('counts %s', (_, numbers, value, count) => {
    expect(countUpTo(numbers, value)).toBe(count);
  });
});
