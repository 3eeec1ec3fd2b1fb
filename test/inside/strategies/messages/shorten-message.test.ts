import { assert, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hardCut, reductionLine } from '../../../../src/strategies/messages/shorten-message.ts';

describe('hardCut', () => {
  it.each([
    ['', 10, ''],
    ['0123456789', 10, '0123456789'],
    ['0123456789a', 10, '0123456...'],
    ['012345🙂🙂🙂', 10, '012345...'],
    ['01234🙂🙂🙂🙂', 10, '01234🙂...'],
    ['abcdef', 2, '..'],
  ])('cuts %s to %i', (text, maxChars, expected) => {
    expect(hardCut(text, maxChars)).toBe(expected);
  });

  it('keeps within the limit and never breaks a pair', () => {
    assert(
      property(
        string({ unit: 'grapheme', maxLength: 60 }),
        integer({ min: 10, max: 50 }),
        (text, max) => {
          const cut = hardCut(text, max);
          expect(cut.length).toBeLessThanOrEqual(max);
          expect(cut.isWellFormed()).toBe(true);
          expect(cut.endsWith('...') || cut === text).toBe(true);
        },
      ),
    );
  });
});

describe('reductionLine', () => {
  it('names tool, sizes and reduction', () => {
    expect(
      reductionLine({ type: 'tool', name: 'Read', text: 'x'.repeat(5120) }, 'x'.repeat(430)),
    ).toBe('tool: Read: 5120 chars → 430 chars (91.6% reduction)');
  });

  it('cannot be forged by the name of a tool', () => {
    const name = `a\n\u001b[31mtool: Read: 1 chars${'x'.repeat(500)}`;
    const line = reductionLine({ type: 'tool', name, text: 'xx' }, 'x');
    expect(line).not.toContain('\n');
    expect(line).not.toContain('\u001b');
    expect(line.length).toBeLessThan(120);
  });
});
