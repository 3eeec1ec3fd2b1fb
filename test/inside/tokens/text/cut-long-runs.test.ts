import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutLongRuns, maxRunLength } from '../../../../src/tokens/text/cut-long-runs.ts';

function pieces(text: string): string[] {
  const found: string[] = [];
  cutLongRuns(text, (piece) => found.push(piece));
  return found;
}

const longest = (text: string, pattern: RegExp): number =>
  Math.max(0, ...(text.match(pattern) ?? []).map((run) => run.length));

const hostileUnits: readonly (readonly [name: string, unit: string])[] = [
  ['one letter', 'a'],
  ['capitals and small letters', 'aB'],
  ['spaces', ' '],
  ['line breaks', '\n'],
  ['dashes', '-'],
  ['dashes and line breaks', `${'-'.repeat(100)}${'\n'.repeat(100)}`],
  ['unspaced Chinese', '漢字'],
  ['unspaced Thai', 'สวัสดี'],
  ['Latin mixed with kana', 'aあ'],
  ['emoji', '😀'],
  ['combining marks', '\u0301'],
  ['marked letters', 'e\u0301'],
  ['no-break spaces', '\u00a0'],
  ['lone surrogates', '\ud800'],
  ['reversed surrogates', '\udc00\ud800'],
  ['joined emoji', '👩\u200d'],
];

describe('cutLongRuns', () => {
  it('hands ordinary text over in one piece', () => {
    const text = 'The quick brown fox, 123 times.\n\n\tconst a = [1, 2];\n'.repeat(1000);
    expect(pieces(text)).toEqual([text]);
  });

  it('makes nothing of nothing', () => {
    expect(pieces('')).toEqual([]);
  });

  it.each(hostileUnits)('cuts %s into bounded pieces', (_, unit) => {
    const text = unit.repeat(Math.ceil(20_000 / unit.length));
    const found = pieces(text);
    expect(found.join('')).toBe(text);
    expect(
      Math.max(...found.map((piece) => longest(piece, /[\p{L}\p{M}]+/gu))),
    ).toBeLessThanOrEqual(2 * maxRunLength);
    expect(Math.max(...found.map((piece) => longest(piece, /\s+/gu)))).toBeLessThanOrEqual(
      2 * maxRunLength,
    );
    expect(
      Math.max(...found.map((piece) => longest(piece, /[^\s\p{L}\p{N}]+/gu))),
    ).toBeLessThanOrEqual(2 * maxRunLength);
    expect(found.length).toBeLessThanOrEqual(text.length / (maxRunLength / 4));
  });

  it('leaves the text around a long run in as few pieces', () => {
    const prose = 'Words and words. '.repeat(100);
    const found = pieces(`${prose}${'x'.repeat(300)} ${prose}`);
    expect(found.map((piece) => piece.length)).toEqual([
      prose.length + 128,
      128,
      300 - 256 + 1 + prose.length,
    ]);
  });

  it('cuts parts of an unspaced text at the same places, wherever they begin', () => {
    const text = Array.from({ length: 8000 }, (_, index) =>
      String.fromCharCode(0x4e00 + ((index * index * 7919) % 20_000)),
    ).join('');
    const whole = new Set(pieces(text));
    for (const start of [1, 17, 40, 63]) {
      const found = pieces(text.slice(start));
      const known = found.filter((piece) => whole.has(piece));
      expect(known.length / found.length).toBeGreaterThan(0.9);
    }
  });

  it('joins to the text and keeps surrogate pairs whole', () => {
    const unit = fc.constantFrom(
      'a',
      'Z',
      ' ',
      '\n',
      '-',
      '7',
      '漢',
      '\u0301',
      '😀',
      '\ud83d',
      '\ude00',
    );
    const run = fc
      .tuple(unit, fc.integer({ min: 1, max: 300 }))
      .map(([text, times]) => text.repeat(times));
    fc.assert(
      fc.property(fc.array(run, { maxLength: 12 }), (runs) => {
        const text = runs.join('');
        const found = pieces(text);
        expect(found.join('')).toBe(text);
        // A pair that was cut would come back as two replacement characters.
        const encoder = new TextEncoder();
        const bytes = found.reduce((sum, piece) => sum + encoder.encode(piece).length, 0);
        expect(bytes).toBe(encoder.encode(text).length);
      }),
    );
  });
});
