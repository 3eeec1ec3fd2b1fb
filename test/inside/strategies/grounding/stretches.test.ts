import { describe, expect, it } from 'vitest';
import { stretchesOf } from '../../../../src/strategies/grounding/stretches.ts';

describe('stretchesOf', () => {
  it('ends at sentences and lines, and not behind the day of a date', () => {
    const text = 'It ends on 26. Oktober 2027. Is it so?\nline one\nline two';
    expect([...stretchesOf(text)].map((part) => part.trim())).toEqual([
      'It ends on 26. Oktober 2027.',
      'Is it so?',
      'line one',
      'line two',
    ]);
  });

  it('cuts what has no sentences, between words where there are any, and no pair of surrogates', () => {
    expect(Math.max(...[...stretchesOf('word '.repeat(2000))].map(({ length }) => length))).toBe(
      405,
    );
    const joined = [...stretchesOf('\u{1f600}'.repeat(2001))];
    expect(joined.every((part) => part.isWellFormed())).toBe(true);
    expect(joined.join('')).toBe('\u{1f600}'.repeat(2001));
  });
});
