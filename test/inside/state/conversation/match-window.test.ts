import { expect, it } from 'vitest';
import { matchWindow, type WindowMatch } from '../../../../src/state/conversation/match-records.ts';

// A character a message; capital letters are messages of users.
it.each<[why: string, lastIds: string, window: string, WindowMatch]>([
  ['nothing is known', '', 'Abcd', 'gap'],
  ['its first four are the last ones', 'xyAbcd', 'Abcdef', 4],
  ['so are all of it', 'Abcde', 'Abcde', 5],
  ['the last of them is of a user', 'xabcD', 'abcDe', 4],
  ['three are too few', 'xAbc', 'Abcd', 'unclear'],
  ['none of them is of a user', 'xabcd', 'abcdE', 'unclear'],
  ['another one is in between', 'xAbcde', 'Abxdef', 'gap'],
  ['it ends before they do', 'xAbcdef', 'Abcd', 'gap'],
  ['it begins behind them', 'Abcd', 'efgh', 'gap'],
  ['it begins before them', 'bCde', 'abCdef', 'unclear'],
  ['it ends with them', 'bCde', 'abCde', 'unclear'],
  ['they stand in it twice', 'Abcd', 'AbcdAbcd', 'unclear'],
  ['they stand in it later, and its end is not theirs', 'Abcd', 'xxAbcx', 'gap'],
  ['they repeat themselves', 'AbAbAb', 'AbAbcd', 'unclear'],
])('of a window where %s', (_why, lastIds, window, match) => {
  const isUser = (index: number): boolean => /[A-Z]/.test(window.charAt(index));
  expect(matchWindow(Array.from(lastIds), Array.from(window), isUser)).toBe(match);
});
