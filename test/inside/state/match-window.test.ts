import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchWindow, type WindowMatch } from '../../../src/state/match-records.ts';

/** Matches texts of one character a message; capital letters are messages of users. */
function match(lastIds: string, window: string): WindowMatch {
  return matchWindow(Array.from(lastIds), Array.from(window), (index) =>
    /[A-Z]/.test(window.charAt(index)),
  );
}

/** What {@link matchWindow} is to say, by looking at every place. */
function lookedUp(lastIds: string, window: string): WindowMatch {
  const ends: number[] = [];
  if (lastIds === '') return 'gap';
  for (let end = 1; end <= window.length; end += 1) {
    const overlap = Math.min(end, lastIds.length);
    if (window.slice(end - overlap, end) === lastIds.slice(lastIds.length - overlap))
      ends.push(end);
  }
  const [end] = ends;
  if (end === undefined) return 'gap';
  if (end > lastIds.length) return 'unclear';
  if (ends.length > 1) return 'unclear';
  const isEnough = end >= 4 && /[A-Z]/.test(window.slice(0, end));
  return isEnough ? end : 'unclear';
}

describe('matchWindow', () => {
  it.each([
    ['what the window shares', 'AbCdEfGh', 'EfGhIj', 4],
    ['the whole window', 'AbCdEfGh', 'CdEfGh', 6],
    ['all that is known', 'AbCd', 'AbCdEf', 4],
    ['one message of a user', 'xyzabcD', 'abcDef', 4],
    ['a user who says everything', 'ABCDEF', 'CDEFGH', 4],
    ['three messages only', 'AbCdEfGh', 'fGhIj', 'unclear'],
    ['one message only', 'AbCdEfGh', 'hIj', 'unclear'],
    ['no message of a user', 'AbCdefgh', 'efghIj', 'unclear'],
    ['a user only behind the overlap', 'abcdefgh', 'efghIJKL', 'unclear'],
    ['a gap', 'AbCdEfGh', 'KlMnOp', 'gap'],
    ['a window that follows at once', 'AbCdEfGh', 'IjKl', 'gap'],
    ['a window that ends before the record does', 'AbCdEfGh', 'AbCdEf', 'gap'],
    ['a window that leaves the record halfway', 'AbCdEfGh', 'CdEfXyZ', 'gap'],
    ['an edited message in the overlap', 'AbCdEfGh', 'CdXfGhIj', 'gap'],
    ['a message left out', 'AbCdEfGh', 'CdEGhIj', 'gap'],
    ['a message too many', 'AbCdEfGh', 'CdEefGhIj', 'gap'],
    ['messages in another order', 'AbCdEfGh', 'CdEfhGIj', 'gap'],
    ['an overlap further inside the window', 'AbCdEfGh', 'XyEfGhIj', 'gap'],
    ['a window that begins before what is known', 'CdEfGh', 'AbCdEfGhIj', 'unclear'],
    ['one message before what is known', 'EfGh', 'dEfGhI', 'unclear'],
    ['a period of two', 'AbAbAbAb', 'AbAbAbCd', 'unclear'],
    ['a period of one', 'AAAAAAAA', 'AAAAAB', 'unclear'],
    ['a longer period', 'AbCdeAbCde', 'AbCdeAbCdeX', 'unclear'],
    ['what begins like it ends', 'xyAbcAb', 'AbcAbZ', 'unclear'],
    ['one message that begins and ends it', 'xyzAbcdA', 'AbcdAf', 'unclear'],
    ['what is known twice in the window', 'AbCd', 'AbCdEfAbCd', 'unclear'],
    ['a repetition before the overlap only', 'AAAAbCdEf', 'bCdEfG', 5],
    ['a repetition behind the overlap only', 'AbCdEfGh', 'CdEfGhGhGh', 6],
    ['nothing known', '', 'AbCdEf', 'gap'],
    ['an empty window', 'AbCdEf', '', 'gap'],
    ['nothing at all', '', '', 'gap'],
  ] as const)('%s', (_name, lastIds, window, expected) => {
    expect(match(lastIds, window)).toEqual(expected);
    expect(lookedUp(lastIds, window)).toEqual(expected);
  });

  it('finds what looking at every place finds', () => {
    const few = fc.string({ unit: fc.constantFrom('A', 'b'), maxLength: 14 });
    const more = fc.string({ unit: fc.constantFrom(...Array.from('AbCdEf')), maxLength: 14 });
    const slid = fc
      .tuple(
        fc.array(fc.constantFrom(...Array.from('AbcdefGhijklmnopqr')), { maxLength: 30 }),
        fc.nat(),
        fc.nat(),
      )
      .map(([all, first, second]) => {
        const [cut, start] = [first % (all.length + 1), second % (all.length + 1)];
        return [all.slice(0, cut).join(''), all.slice(start).join('')] as const;
      });
    const seen = new Set<string>();
    fc.assert(
      fc.property(fc.oneof(fc.tuple(few, few), fc.tuple(more, more), slid), ([lastIds, window]) => {
        const found = match(lastIds, window);
        seen.add(typeof found === 'number' ? 'covered' : found);
        expect(found).toEqual(lookedUp(lastIds, window));
      }),
      { numRuns: 5000 },
    );
    expect([...seen].toSorted()).toEqual(['covered', 'gap', 'unclear']);
  });

  it('finds the covered messages of every window of a conversation without repetition', () => {
    const all = Array.from({ length: 40 }, (_, index) => String.fromCharCode(0x4e00 + index));
    for (let cut = 4; cut <= all.length; cut += 1)
      for (let start = 0; start < all.length; start += 1) {
        const found = matchWindow(
          all.slice(0, cut),
          all.slice(start),
          (index) => (start + index) % 2 === 0,
        );
        const count = cut - start;
        const few = count > 0 ? 'unclear' : 'gap';
        expect(found).toEqual(count >= 4 ? count : few);
      }
  });
});
