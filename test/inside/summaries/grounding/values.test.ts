import { expect, it } from 'vitest';
import { readText } from '../../../../src/summaries/grounding/values.ts';
import { wordsOf } from '../../../../src/summaries/strategies/words.ts';

it.each([
  '2. Pay 1,234.50 euros → 1234.5/1.234.50',
  '3 477,60 or 1.234.567 → 3477.6/3.477.60, 1234567/1.234.567',
  'At 9 h 35, 09:00, 2:30 or 9h → 9.35, 9/21, 2.3/14.3, 9',
  '14.03.2027, 10:30:15 → 14.2027.3, 10.15.30',
  'Item-12b of 300MB, v1.2.3.4 → item-12b, 300, 1.2.3.4',
  "1,23,456 0.50 1'234 → 1.23.456, 0.5, 1234/1.234",
  '𝟛 ٣٤٥, ３４５ → 345, 345',
  'API 7: ./src/a/b.ts → src/a/b.ts, 7',
  'A 24-hour TypeScript of mid-2024 → 24, 2024',
  'Bed 3 €/night, 47.3 s/912 MB → 3, 47.3, 912',
  '会议在12楼的房间 → 12',
])('the values of a statement: %s', (row) => {
  const [text = '', expected] = row.split(' → ');
  const said = readText(text).values.map(({ keys }) => keys.join('/'));
  expect(said.join(', ')).toBe(expected);
});

it.each([
  '2. Go at 09:30 → 2, 9.3, 21.3, 9, 30',
  'On 2027-03-14 → 14.2027.3, 2027, 3, 14, 2027.03',
  '1.50 of item-12b → item-12b, 1.5, 12',
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
