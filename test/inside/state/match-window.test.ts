import * as fc from 'fast-check';
import { expect, it } from 'vitest';
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
  if (end > lastIds.length || ends.length > 1) return 'unclear';
  const isEnough = end >= 4 && /[A-Z]/.test(window.slice(0, end));
  return isEnough ? end : 'unclear';
}

it('a window is found where looking at every place finds it', () => {
  const few = fc.string({ unit: fc.constantFrom('A', 'b'), maxLength: 14 });
  const more = fc.string({ unit: fc.constantFrom(...Array.from('AbCdEf')), maxLength: 14 });
  const letters = fc.constantFrom(...Array.from('AbcdefGhijklmnopqr'));
  const slid = fc
    .tuple(fc.array(letters, { maxLength: 30 }), fc.nat(), fc.nat())
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
