import { countTokens as ofGpt4 } from 'gpt-tokenizer/encoding/cl100k_base';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import {
  availableTextCounter,
  countText,
  estimateTokens,
  inVocabularyOf,
  loadTextCounter,
  textPieces,
} from '../../../../src/sizes/tokens/text-counter.ts';

type Figures = readonly [o200k: number, estimate: number, gpt4: number, llama3: number];

it.each<[string, text: string, figures: Figures]>([
  ['code', 'return items.reduce((sum, each) => sum + each, 0);\n\n}\n', [17, 18, 17, 17]],
  ['JSON', '{"id":48213,"tags":["a","b"],"at":"2026-11-26T15:12:31Z"}', [29, 33, 29, 29]],
  ['a log', '15:12:31.482 WARN [worker-3] retrying GET /api/v2/items?page=7\n', [25, 26, 25, 25]],
  ['German', 'Die Prüfung der Übungsaufgaben ist übermorgen fällig.', [13, 12, 13, 15]],
  ['signs', '£5 ± 3° · ½ § 7 «ja»', [15, 13, 15, 15]],
  ['phonetics', 'ˈfəʊnɛtɪk ˈskrɪpt', [17, 10, 17, 17]],
  ['Greek', 'Η αναφορά πρέπει να είναι έτοιμη μέχρι την Παρασκευή.', [14, 20, 36, 15]],
  ['Russian', 'Отчёт должен быть готов к пятнице. Сначала добавь новые данные.', [17, 24, 29, 21]],
  ['Hebrew', 'הדוח חייב להיות מוכן עד יום שישי.', [12, 14, 28, 31]],
  ['Arabic', 'يجب أن يكون التقرير جاهزا يوم الجمعة. أضف الأرقام الجديدة أولا.', [19, 27, 37, 21]],
  ['Hindi', 'रिपोर्ट शुक्रवार तक तैयार होनी चाहिए। पहले नए आँकड़े जोड़ें, फिर मुझे भेजें।', [23, 32, 68, 39]],
  ['Bengali', 'শুক্রবারের মধ্যে প্রতিবেদনটি প্রস্তুত হতে হবে।', [13, 20, 54, 55]],
  ['Thai', 'รายงานต้องเสร็จภายในวันศุกร์ เพิ่มตัวเลขใหม่ลงในตารางก่อน', [22, 31, 57, 25]],
  ['Georgian', 'ანგარიში პარასკევამდე მზად უნდა იყოს.', [11, 29, 59, 69]],
  ['Vietnamese', 'Báo cáo phải sẵn sàng trước thứ Sáu.', [14, 13, 16, 14]],
  ['symbols', '“Ja” – 5 € → … ✓ ≤ ∞', [13, 11, 13, 13]],
  ['Japanese', 'レポートは金曜日までに用意してください。', [12, 16, 19, 10]],
  ['Chinese', '报告必须在星期五之前准备好。', [9, 14, 14, 9]],
  ['Korean', '보고서는 금요일까지 준비되어야 합니다.', [10, 16, 16, 10]],
  ['emoji', 'Done 🎉🚀 🧑‍💻 ok 👍🏽', [15, 20, 15, 15]],
])('%s is counted, in smaller vocabularies too, and estimated', async (_name, text, figures) => {
  const counter = await loadTextCounter();
  const as = (modelId: string): number =>
    inVocabularyOf({ provider: 'any', modelId }, counter).count(text);
  const [gpt4, llama3] = [as('gpt-4'), as('Meta-Llama-3.1-8B-Instruct')];
  expect([counter.count(text), estimateTokens(text), gpt4, llama3]).toEqual(figures);
  expect(counter.count(text)).toBe(countTokens(text));
  expect(Math.abs(gpt4 / ofGpt4(text) - 1)).toBeLessThan(0.3);
});

it('a text is cut where words begin, and nowhere within a character', () => {
  const cut = (text: string): readonly number[] =>
    [...textPieces(text)].map(({ length }) => length);
  expect(cut('a'.repeat(4096))).toEqual([4096]);
  // The space goes with the word behind it, up to 256 characters ahead of the longest piece.
  expect(cut('abcdefg '.repeat(600))).toEqual([4095, 705]);
  expect(cut(`${'a'.repeat(3841)} ${'a'.repeat(300)}`)).toEqual([3841, 301]);
  expect(cut(`${'a'.repeat(3840)} ${'a'.repeat(300)}`)).toEqual([4096, 45]);
  expect(cut(`${'a'.repeat(4000)}  ${'a'.repeat(300)}`)).toEqual([4000, 302]);
  expect(cut(`a${'😀'.repeat(2050)}`)).toEqual([4095, 6]);
});

it('counting stops where more is not asked for', async () => {
  const pieces: string[] = [];
  const counter = { isExact: true, count: (text: string) => pieces.push(text) && 10 };
  const text = 'a'.repeat(3 * 4096);
  expect(await countText(text, 10, counter)).toBe(20);
  expect(await countText(text, 9, counter)).toBe(10);
  expect(await countText(text, undefined, counter)).toBe(30);
  expect(pieces.map(({ length }) => length)).toEqual(Array(6).fill(4096));
});

it('a long run without white space is counted by some of it, and what stands around it as it is', async () => {
  let read = 0;
  const counter = {
    isExact: true,
    count: ({ length }: string) => {
      read += length;
      return length / 4;
    },
  };
  const words = 'word '.repeat(10_000);
  expect(await countText(words, undefined, counter)).toBe(12_500);
  expect(read).toBe(50_000);
  const counted = await countText(`${words}${'x'.repeat(3_000_000)} ${words}`, undefined, counter);
  expect(Math.abs(counted / 775_000 - 1)).toBeLessThan(0.01);
  expect(read).toBeLessThan(300_000);
  read = 0;
  await countText('x'.repeat(100_000), undefined, counter);
  expect(read).toBe(100_000);
});

it('what looks like a special token is text', async () => {
  const { count, isExact } = await availableTextCounter();
  expect([count('<|endoftext|>'), isExact]).toEqual([7, true]);
});

describe('the count of a long run of one kind', () => {
  const ideographs = Array.from({ length: 600 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7919) % 3000)),
  );
  const letters = ideographs.map((text) => String.fromCharCode(97 + (text.charCodeAt(0) % 26)));

  it.each([
    ['letters', letters.join(''), 313],
    ['ideographs', ideographs.join(''), 1065],
    ['halves', `a${'😀'.repeat(100)}`, 101],
    ['white space', ' \t'.repeat(300), 290],
    ['two kinds', `${'ab'.repeat(32)}${'!?'.repeat(32)}`, 34],
  ])('of %s is cut, and comes close to the whole', async (_, text, tokens) => {
    const { count } = await loadTextCounter();
    expect(count(text)).toBe(tokens);
    expect(Math.abs(tokens / countTokens(text) - 1)).toBeLessThan(0.15);
  });

  it('takes time by its length', async () => {
    const { count } = await loadTextCounter();
    // A second at most; whole it would take hours.
    expect(count(ideographs.join('').repeat(200))).toBeGreaterThan(100_000);
  });
});
