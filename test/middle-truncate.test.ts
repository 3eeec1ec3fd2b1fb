import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { middleTruncate } from '../src/entries/text/index.ts';

const letters = 'h'.repeat(10_000) + 't'.repeat(10_000);

it.each([
  ['', 0, '', 0],
  ['abc', 3, 'abc', 0],
  ['abc', Number.POSITIVE_INFINITY, 'abc', 0],
  [
    letters,
    141,
    `${'h'.repeat(52)}\n[... 19,896 characters omitted ...]\n${'t'.repeat(52)}`,
    19_896,
  ],
  [letters, 0, '', 20_000],
  [letters, -5, '', 20_000],
  [letters, 1.9, 'h', 19_999],
  [letters, 20, 'h'.repeat(20), 19_980],
])(
  'keeps head and tail around a line that tells what is missing, if there is room: %#',
  (given, budget, text, removedChars) => {
    expect(middleTruncate(given, budget)).toEqual({ text, removedChars });
  },
);

it.each([
  [{ headFraction: 0.6, tailFraction: 0.2 }, 75, 25],
  [{ headFraction: 1, tailFraction: 0 }, 100, 0],
  [{ headFraction: 0, tailFraction: 5 }, 0, 100],
  [{ headFraction: 0.3 }, 50, 50],
  [{ headFraction: undefined, tailFraction: 0.1 }, 75, 25],
])('shares the room as %j says', (options, head, tail) => {
  const room = 100 + '\n[... 1,000 characters omitted ...]\n'.length;
  const { text } = middleTruncate('h'.repeat(500) + 't'.repeat(500), room, options);
  expect([text.match(/^h*/)?.[0].length, text.match(/t*$/)?.[0].length]).toEqual([head, tail]);
});

it('never exceeds the budget and never splits a character', () => {
  const parts = fc.array(fc.constantFrom('a', '漢', '😀', '👩‍👧'), { maxLength: 40 });
  const texts = fc
    .tuple(parts, fc.integer({ min: 1, max: 30 }))
    .map(([some, times]) => some.join('').repeat(times));
  const fraction = fc.double({ min: 0.01, max: 1, noNaN: true });
  const fractions = fc.record({ headFraction: fraction, tailFraction: fraction });
  fc.assert(
    fc.property(texts, fc.nat({ max: 400 }), fractions, (text, budget, options) => {
      const result = middleTruncate(text, budget, options);
      expect(result.text.length).toBeLessThanOrEqual(budget);
      expect(result.text.isWellFormed()).toBe(true);
      expect(result.removedChars === 0).toBe(text.length <= budget);
      const [head = '', tail = ''] = result.text.split(/\n\[\.\.\. .* omitted \.\.\.\]\n/);
      expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
      expect(head.length + tail.length + result.removedChars).toBe(text.length);
    }),
  );
});
