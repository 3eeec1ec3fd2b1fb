import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8Length } from '../../../src/util/strings.ts';

const bytes = (text: string): number => new TextEncoder().encode(text).length;

describe('utf8Length', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['é', 2],
    ['漢', 3],
    ['😀', 4],
    ['\ud83d', 3],
  ])('of %j is %i', (text, length) => {
    expect(utf8Length(text)).toBe(length);
  });

  it('is that of the encoded text, whatever the length', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom('\ud800', '😀'),
    );
    fc.assert(
      fc.property(unit, fc.integer({ min: 1, max: 20_000 }), (text, times) => {
        const long = text.repeat(times);
        expect(utf8Length(long)).toBe(bytes(long));
      }),
    );
  });
});
