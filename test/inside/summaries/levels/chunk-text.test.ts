import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from '../../../../src/summaries/levels/summarize-text.ts';
import { loadTextCounter } from '../../../../src/sizes/tokens/text-counter.ts';

const { count } = await loadTextCounter();

function split(text: string, chunkSize: number, chunkOverlap: number): readonly string[] {
  return [...chunkText(text, { chunkSize, chunkOverlap, measure: count })];
}

/** What is left of a text without white space: no other character may be lost. */
const bare = (text: string): string => text.replaceAll(/\s+/g, '');

const anyText = fc.oneof(
  fc
    .array(fc.lorem({ maxCount: 60 }), { maxLength: 20 })
    .chain((texts) => fc.constantFrom('\n\n', ' \n \n\n', ' ').map((glue) => texts.join(glue))),
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(
    '',
    '今日は会議を開きました。次回は金曜日です。'.repeat(40),
    '👩‍👩‍👧‍👦'.repeat(60),
    'e\u0301'.repeat(300),
    'a'.repeat(2000),
    `${' '.repeat(900)}word${'\n'.repeat(900)}word`,
  ),
);

describe('chunkText', () => {
  it('leaves nothing out but white space, splits no pair, and keeps to the size', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 40, max: 300 }), (text, size) => {
        const chunks = split(text, size, 0);
        expect(bare(chunks.join(''))).toBe(bare(text));
        for (const chunk of chunks) {
          expect(chunk.trim()).not.toBe('');
          expect(chunk.isWellFormed() || !text.isWellFormed()).toBe(true);
          // Where pieces of one word meet, it may come out as a token more.
          expect(count(chunk)).toBeLessThanOrEqual(1.05 * size);
        }
      }),
    );
  });

  it.each([
    '22, 8: One two. Three.\n \n\n Four five. Six.\n\nSeven.\n\n → One two. Three.|Three.\n\nFour five. Six.|Six.\n\nSeven.',
    '24, 12: One two. Three four five.\nSix seven! Eight nine? Ten. → One two. Three four five.|five.\nSix seven!|Six seven! Eight nine?|Eight nine? Ten.',
    '18, 4: 我们决定在星期五部署新版本。好。我们决定在星期五部署新版本。 → 我们决定在星期五部署新版本。好。|本。好。我们决定在星期五部署新版本。',
    '16, 0: abcdefghijklmnopqrstuvwxyz → abcdefghijklmnop|qrstuvwxyz',
    '16, 6: one two three four five six → one two three four|four five six',
    '16, 0: \n\n  \n\n → ',
  ])('are paragraphs, else sentences, else words, of characters: %j', (row) => {
    const [, chunkSize, chunkOverlap, text = '', chunks] =
      /^(\d+), (\d+): ([^]+) → (.*)$/s.exec(row) ?? [];
    const sizes = { chunkSize: Number(chunkSize), chunkOverlap: Number(chunkOverlap) };
    expect([...chunkText(text, { ...sizes, measure: ({ length }) => length })].join('|')).toBe(
      chunks,
    );
  });

  it.each([
    ['one letter', 'a'.repeat(2_000_000)],
    ['Chinese without a sentence', '好'.repeat(500_000)],
    ['spaces', 'x' + ' '.repeat(2_000_000) + 'y'],
    ['one line of words', 'word '.repeat(400_000)],
    ['combining marks', 'a' + '\u0301'.repeat(200_000)],
  ])('looks at every part of %s a few times only', (_name, text) => {
    let measured = 0;
    const measure = (part: string): number => {
      measured += part.length;
      return count(part);
    };
    expect([...chunkText(text, { chunkSize: 3000, chunkOverlap: 200, measure })]).not.toEqual([]);
    expect(measured).toBeLessThan(8 * text.length);
  });
});
