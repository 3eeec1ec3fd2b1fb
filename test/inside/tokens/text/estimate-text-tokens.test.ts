import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTextTokens } from '../../../../src/tokens/text/estimate-text-tokens.ts';

const file = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const bytes = Uint8Array.from(
  { length: 9000 },
  (_, index) => Math.imul(index, 2_654_435_761) >>> 24,
);

describe('estimateTextTokens', () => {
  it.each([
    ['code', file('./estimate-text-tokens.test.ts')],
    ['Markdown', file('../../../../README.md')],
    ['JSON', file('../../../../package.json')],
    [
      'English',
      'The committee met on Tuesday. "We can\'t postpone it again," she said.\n'.repeat(20),
    ],
    ['German', 'Die Gesellschaft übernahm die Überfahrt für dreißig Gäste aus Köln.\n'.repeat(20)],
    ['Vietnamese', 'Chiều hôm qua anh ấy đọc xong cuốn sách về nguồn gốc vũ trụ. '.repeat(20)],
    ['Russian', 'Вчера днём он дочитал книгу о происхождении вселенной и пошёл домой. '.repeat(20)],
    ['Arabic', 'قرأ بعد ظهر أمس في المكتبة كتابا عن أصل الكون ثم عاد إلى البيت ببطء. '.repeat(20)],
    ['Hindi', 'कल की बैठक स्थगित कर दी गई है। कृपया नई तारीख की प्रतीक्षा करें।\n'.repeat(20)],
    ['Chinese', '昨天下午，他在图书馆里读完了那本关于宇宙起源的书，然后慢慢走回家。'.repeat(20)],
    [
      'Japanese',
      '来週の会議は水曜日に変更されました。資料は前日までに送ってください。\n'.repeat(20),
    ],
    ['Korean', '어제 오후에 그는 도서관에서 우주의 기원에 관한 책을 다 읽고 걸어갔다. '.repeat(20)],
    ['hex', Buffer.from(bytes).toString('hex')],
    ['a log', `2026-07-01T10:00:00Z INFO ${'='.repeat(60)} took 132ms\n`.repeat(50)],
  ])('is at most 15 %% below and 35 %% above a count on %s', (_, text) => {
    const counted = countTokens(text, { disallowedSpecial: new Set() });
    expect(estimateTextTokens(text) / counted).toBeGreaterThan(0.85);
    expect(estimateTextTokens(text) / counted).toBeLessThan(1.35);
  });

  it('is nothing for nothing', () => {
    expect(estimateTextTokens('')).toBe(0);
  });
});
