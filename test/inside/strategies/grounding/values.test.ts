import { expect, it } from 'vitest';
import { readText, wordsOf } from '../../../../src/strategies/llm/values.ts';

it.each([
  '2. Pay 1,234.50 euros → 1234.5/1.234.50 (pay|euros)',
  '3 477,60 or 1.234.567 → 3477.6/3.477.60 (|or 1 234 567), 1234567/1.234.567 (or 60 477 3|)',
  'At 9 h 35, 09:00 or 9h → 9.35 (at|9 0 or 9), 9 (35 h 9 at|or 9 h), 9 (or 0 9 35|h)',
  '14.03.2027, 10:30:15 → 14.2027.3 (|10 30 15), 10.15.30 (2027 3 14|)',
  'Item-12b of 300MB, v1.2.3.4 → item-12b (|of 300 mb v), 300 (of b 12 item|mb v 1 2), 1.2.3.4 (v mb 300 of|)',
  "1,23,456 0.50 1'234 → 1.23.456 (|0 50 1 234), 0.5 (456 23 1|1 234), 1234/1.234 (50 0 456 23|)",
  '𝟛 ٣٤٥, ３４５ → 345 (|345), 345 (345|)',
  'API 7: ./src/a/b.ts → 7 (api|src a b ts), src/a/b.ts (7 api|), b.ts (a src 7 api|)',
  '会议在12楼的房间 → 12 (议在 会议|楼的 的房 房间)',
])('the values of a statement, and the words next to each: %s', (row) => {
  const [text = '', expected] = row.split(' → ');
  const said = readText(text).values.map(
    ({ keys, before, behind }) => `${keys.join('/')} (${before.join(' ')}|${behind.join(' ')})`,
  );
  expect(said.join(', ')).toBe(expected);
});

it.each([
  '2. Go at 09:30 → 2, 9.3, 9, 30',
  'On 2027-03-14 → 14.2027.3, 2027, 3, 14, 2027.03',
  '1.50 of item-12b → 1.5, item-12b, 12',
  './src/a/b.ts → src/a/b.ts, a/b.ts, b.ts',
])('what a message bears out: %s', (row) => {
  const [text = '', expected] = row.split(' → ');
  const borne = new Set(readText(text, true).values.flatMap(({ keys }) => keys));
  expect([...borne].join(', ')).toBe(expected);
});

it('words are compared by their beginnings, in scripts without spaces by pairs', () => {
  expect([...wordsOf('Ｄeployed 007 times: 会议室 好')].join(' ')).toBe(
    'deploy 7 times 会议 议室 好',
  );
});
