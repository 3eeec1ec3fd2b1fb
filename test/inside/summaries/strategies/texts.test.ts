import { expect, it } from 'vitest';
import {
  charactersOfToken,
  cutAtWord,
  comparisonKey,
  sentencesOf,
  inlineText,
} from '../../../../src/summaries/strategies/texts.ts';

it.each([
  ['One. Two!  Three? Four', 'One. |Two!  |Three? |Four'],
  ['a.b e.g. this, J. Doe. (p. 7)\n\n1. Two\n', 'a.b e.g. this, J. Doe. |(p. 7)\n\n|1. Two\n'],
  ['今天。明天！昨天', '今天。|明天！|昨天'],
  ['', ''],
])('the sentences of %j are %j', (text, sentences) => {
  expect(sentencesOf(text).join('|')).toBe(sentences);
});

it.each([
  ['six or seven words', 9, 'six or |seven |words'],
  ['abcdefghij k', 4, 'abcd|efgh|ij k'],
  ['a🙂🙂b', 2, 'a|🙂|🙂|b'],
  ['abcd', 0, 'ab|cd'],
])('of %j at most %i characters are one: %j', (text, longest, sentences) => {
  expect(sentencesOf(text, longest).join('|')).toBe(sentences);
});

it.each([
  [cutAtWord('six or seven', 12), 'six or seven'],
  [cutAtWord('six or seven', 11), 'six or…'],
  [cutAtWord('a sevenletters', 9), 'a sevenl…'],
  [inlineText('|,;:) "a"  [b]<c>\\{d}\ud800 (,; |'), 'a b c d \ufffd'],
  [comparisonKey(' Ａ  Café\u0301\n'), 'a café\u0301'],
  [String(charactersOfToken('ab'.repeat(600), (text) => text.length / 4)), '4'],
  [String(charactersOfToken('', () => 0)), '0'],
])('a text is cut, tidied and compared: %j', (made, expected) => {
  expect(made).toBe(expected);
});
