import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWindow } from '../../../src/summaries/make-summary.ts';
import { boundedMap } from '../../../src/util/maps/bounded-map.ts';

/** Ids of messages, a character each. */
function ids(text: string): readonly string[] {
  return Array.from(text);
}

/** What a process remembers. */
function watch(): (scope: string, ids: readonly string[]) => boolean {
  const rows = boundedMap<'beginning' | 'inside'>(20_000);
  return (scope, messages) => isWindow(rows, scope, messages);
}

describe('isWindow', () => {
  it.each([
    ['the window has slid by one message', 'abcdefgh', 'bcdefghi', true],
    ['the window has slid by a few', 'abcdefgh', 'defghijk', true],
    ['the window begins with the last four', 'abcdefgh', 'efghijkl', true],
    ['the window has four messages', 'abcdefgh', 'cdef', true],
    ['the window has left the record', 'abcdefgh', 'fghijklm', false],
    ['the conversation has grown', 'abcdefgh', 'abcdefghij', false],
    ['it is the same', 'abcdefgh', 'abcdefgh', false],
    ['it is another one', 'abcdefgh', 'stuvwxyz', false],
    ['it shares three messages', 'abcdefgh', 'bcdxefgh', false],
    ['it shares messages in another order', 'abcdefgh', 'edcbfg', false],
    ['it shares four of them further on', 'abcdefgh', 'xcdefgh', false],
    ['it is too short to tell', 'abcdefgh', 'bcd', false],
    ['nothing has been said', 'abcdefgh', '', false],
    ['the record is too short to tell', 'abc', 'bc', false],
    ['it says the same again and again', 'abababab', 'ababab', false],
    ['it says one thing only', 'aaaaaaaa', 'aaaaaa', false],
    ['its beginning comes back later', 'abcdxxabcd', 'abcdxxabcdyy', false],
  ])('where %s: %s, then %s', (_name, record, next, expected) => {
    const seen = watch();
    expect(seen('1', ids(record))).toBe(false);
    expect(seen('1', ids(next))).toBe(expected);
    expect(seen('2', ids(next))).toBe(false);
    expect(watch()('1', ids(next))).toBe(false);
  });

  it('does not take one for a window that begins like another one goes on', () => {
    const seen = watch();
    seen('1', ids('abcdef'));
    seen('1', ids('xyabcdef'));
    expect(seen('1', ids('abcdefgh'))).toBe(false);
    const turned = watch();
    turned('1', ids('xyabcdef'));
    turned('1', ids('abcdef'));
    expect(turned('1', ids('abcdefgh'))).toBe(false);
  });

  it('notices each new step of a window whose records are remembered', () => {
    const seen = watch();
    const all = Array.from({ length: 60 }, (_, index) => `message ${index}`);
    const noticed = [];
    for (let start = 0; start < 20; start += 2)
      noticed.push(seen('1', all.slice(start, start + 12)));
    expect(noticed).toEqual([false, ...Array<boolean>(9).fill(true)]);
  });

  it('never suspects a conversation that only grows, whatever it says', () => {
    const messages = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 8 });
    fc.assert(
      fc.property(messages, fc.array(fc.nat({ max: 20 })), (all, steps) => {
        const seen = watch();
        for (const step of steps.toSorted((a, b) => a - b))
          expect(seen('1', all.slice(0, step))).toBe(false);
      }),
    );
  });

  it('forgets, and is no slower for records of any length', () => {
    const long = Array.from({ length: 200_000 }, (_, index) => `long ${index}`);
    const after = (start: number): boolean => {
      const seen = watch();
      seen('1', long);
      return seen('1', long.slice(start));
    };
    expect([after(2), after(500), after(501)]).toEqual([true, true, false]);
    const seen = watch();
    seen('1', long);
    for (let record = 0; record < 50; record += 1)
      seen(
        '2',
        long.map((id) => `${record} ${id}`),
      );
    expect(seen('1', long.slice(2))).toBe(false);
  });
});
