import { describe, expect, it } from 'vitest';
import { findExpressions } from './regular-expressions/find-expressions.ts';
import { faultOf } from './regular-expressions/slow-expressions.ts';

describe('the check of regular expressions', () => {
  it('finds literals wherever they stand, and what builds others', () => {
    const text = [
      'const text = "/no/"; // /nor this/',
      'export const one = /a+/g;',
      'export function two(given: string): boolean { return given.split(/[/]/u).length > 1; }',
    ].join('\n');
    expect(findExpressions('a.ts', text)).toEqual({
      literals: [
        { source: 'a+', flags: 'g', start: expect.any(Number) },
        { source: '[/]', flags: 'u', start: expect.any(Number) },
      ],
      buildsOthers: false,
    });
    for (const built of ['new RegExp("a")', 'RegExp("a")'])
      expect(findExpressions('a.ts', built).buildsOthers).toBe(true);
  });

  it.each([
    [String.raw`^\s*~~~[a-z]*\s*\n(.*)\n\s*~~~\s*$`, 'is', /polynomial/],
    [String.raw`\s*\n\s*`, 'g', /polynomial/],
    ['^(a+)+$', '', /exponential/],
  ])('reports /%s/%s', async (source, flags, fault) => {
    expect(await faultOf(source, flags)).toMatch(fault);
  });

  it('passes a linear expression', async () => {
    expect(await faultOf(String.raw`\n[^\S\n]*\n\s*`, 'g')).toBeUndefined();
  });
});
