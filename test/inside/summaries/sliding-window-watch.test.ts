import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slidingWindowWarning } from '../../../src/summaries/sliding-windows.ts';
import { slidingWindowWatch } from '../../../src/summaries/sliding-windows.ts';

/** Ids of messages, a character each. */
function ids(text: string): readonly string[] {
  return Array.from(text);
}

describe('slidingWindowWatch', () => {
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
    const watch = slidingWindowWatch();
    expect(watch.isWindow('1', ids(next))).toBe(false);
    watch.remember('1', ids(record));
    expect(watch.isWindow('1', ids(next))).toBe(expected);
    expect(watch.isWindow('2', ids(next))).toBe(false);
  });

  it('does not take one for a window that begins like another one goes on', () => {
    const watch = slidingWindowWatch();
    watch.remember('1', ids('abcdef'));
    watch.remember('1', ids('xyabcdef'));
    expect(watch.isWindow('1', ids('abcdefgh'))).toBe(false);
    const turned = slidingWindowWatch();
    turned.remember('1', ids('xyabcdef'));
    turned.remember('1', ids('abcdef'));
    expect(turned.isWindow('1', ids('abcdefgh'))).toBe(false);
  });

  it('notices each new step of a window whose records are remembered', () => {
    const watch = slidingWindowWatch();
    const all = Array.from({ length: 60 }, (_, index) => `message ${index}`);
    const noticed = [];
    for (let start = 0; start < 20; start += 2) {
      const window = all.slice(start, start + 20);
      noticed.push(watch.isWindow('1', window));
      watch.remember('1', window.slice(0, 12));
    }
    expect(noticed).toEqual([false, ...Array<boolean>(9).fill(true)]);
  });

  it('never suspects a conversation that only grows, whatever it says', () => {
    const messages = fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 8 });
    fc.assert(
      fc.property(messages, fc.array(fc.nat({ max: 20 })), (all, steps) => {
        const watch = slidingWindowWatch();
        for (const step of steps.toSorted((a, b) => a - b)) {
          expect(watch.isWindow('1', all.slice(0, step + 4))).toBe(false);
          watch.remember('1', all.slice(0, step));
        }
      }),
    );
  });

  it('forgets, and is no slower for records of any length', () => {
    const watch = slidingWindowWatch();
    const long = Array.from({ length: 200_000 }, (_, index) => `long ${index}`);
    watch.remember('1', long);
    expect(watch.isWindow('1', long.slice(2))).toBe(true);
    expect(watch.isWindow('1', long.slice(500))).toBe(true);
    expect(watch.isWindow('1', long.slice(501))).toBe(false);
    for (let record = 0; record < 50; record += 1)
      watch.remember(
        '2',
        long.map((id) => `${record} ${id}`),
      );
    expect(watch.isWindow('1', long.slice(2))).toBe(false);
  });

  it('tells what to do', () => {
    expect(slidingWindowWarning.message).toContain('providerOptions.summarization.conversationId');
  });
});
