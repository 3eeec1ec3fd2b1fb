import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chunkText } from '../../../../src/strategies/levels/chunk-text.ts';
import { loadTextCounter } from '../../../../src/tokens/text/load-text-counter.ts';

const { count } = await loadTextCounter();

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Where the graphemes of a text end. */
function borders(text: string): ReadonlySet<number> {
  return new Set(Array.from(graphemes.segment(text), ({ index }) => index).concat(text.length));
}

function split(text: string, chunkSize: number, chunkOverlap: number) {
  return [...chunkText(text, { chunkSize, chunkOverlap, measure: count })];
}

const paragraphs = fc
  .array(fc.lorem({ maxCount: 60 }), { maxLength: 20 })
  .chain((texts) => fc.constantFrom('\n\n', '\n', ' \n \n\n', ' ').map((glue) => texts.join(glue)));
const anyText = fc.oneof(
  paragraphs,
  fc.string({ unit: 'grapheme', maxLength: 600 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.constantFrom(
    '好'.repeat(700),
    '今日は会議を開きました。次回は金曜日です。'.repeat(40),
    '👩‍👩‍👧‍👦'.repeat(60),
    '🇩🇪🇫🇷'.repeat(150),
    'e\u0301'.repeat(300),
    'a'.repeat(2000),
    `${' '.repeat(900)}word${'\n'.repeat(900)}word`,
    '   \n\n  \n',
  ),
);

describe('chunkText', () => {
  it('splits into chunks that joined are the text, none larger than asked for', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 40, max: 300 }), fc.nat(3), (text, size, part) => {
        const chunks = split(text, size, Math.floor((size * part) / 6));
        expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
        for (const { content } of chunks) expect(count(content)).toBeLessThanOrEqual(size);
      }),
    );
  });

  it('never cuts inside a grapheme, in the overlap either', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 120, max: 300 }), (text, size) => {
        const allowed = borders(text);
        let end = 0;
        for (const chunk of split(text, size, 30)) {
          expect(allowed.has(end)).toBe(true);
          expect(allowed.has(end - chunk.overlap.length)).toBe(true);
          expect(text.slice(0, end).endsWith(chunk.overlap)).toBe(true);
          expect(count(chunk.overlap)).toBeLessThanOrEqual(30);
          end += chunk.text.length;
        }
      }),
    );
  });

  it('changes at most one chunk and adds at most one when a paragraph is added', () => {
    const paragraph = fc.lorem({ maxCount: 40 });
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 1, maxLength: 30 }),
        paragraph,
        (texts, next) => {
          const before = split(texts.join('\n\n'), 200, 20).map(({ content }) => content);
          const after = split([...texts, next].join('\n\n'), 200, 20).map(({ content }) => content);
          const known = new Set(before);
          expect(after.filter((content) => !known.has(content)).length).toBeLessThanOrEqual(1);
        },
      ),
    );
  });

  it.each([
    ['paragraphs', 'One two three. Four five six.\n\n', /\n\n$/],
    ['sentences and lines', 'One two three four five six seven. ', /\. $/],
    ['Chinese sentences', '我们决定在星期五部署新版本。', /。$/],
    ['words where there are no sentences', 'word ', / $/],
  ])('cuts at the end of %s', (_name, unit, end) => {
    const chunks = split(unit.repeat(400), 100, 10);
    expect(chunks.length).toBeGreaterThan(3);
    for (const { text } of chunks.slice(0, -1)) expect(text).toMatch(end);
  });

  it('repeats the end of a chunk, whole sentences where they fit', () => {
    const text = Array.from({ length: 80 }, (_, index) => `This is sentence ${index}.`).join(' ');
    const chunks = split(text, 100, 20);
    for (const { overlap, content } of chunks.slice(1)) {
      expect(overlap).toMatch(/^This is sentence \d+\. /);
      expect(content.startsWith(overlap)).toBe(true);
    }
  });

  it('makes no chunk of white space', () => {
    const text = `${'\n'.repeat(3000)}word${' '.repeat(30_000)}word${'\n \n'.repeat(5000)}`;
    const chunks = split(text, 60, 10);
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
    expect(chunks.filter(({ content }) => content === '')).toEqual([]);
  });

  it('makes one chunk of what fits and none of nothing', () => {
    expect(split('A word.', 3000, 200)).toEqual([
      { overlap: '', text: 'A word.', content: 'A word.' },
    ]);
    expect(split('', 3000, 200)).toEqual([]);
  });

  it.each([
    ['one letter', 'a'.repeat(2_000_000)],
    ['Chinese without a sentence', '好'.repeat(500_000)],
    ['line breaks', 'x' + '\n'.repeat(2_000_000) + 'y'],
    ['spaces', 'x' + ' '.repeat(2_000_000) + 'y'],
    ['one line of words', 'word '.repeat(400_000)],
    ['combining marks', 'a' + '\u0301'.repeat(200_000)],
  ])('looks at every part of %s a few times only', (_name, text) => {
    let measured = 0;
    const measure = (part: string): number => {
      measured += part.length;
      return count(part);
    };
    const chunks = [...chunkText(text, { chunkSize: 3000, chunkOverlap: 200, measure })];
    expect(chunks.map((chunk) => chunk.text).join('')).toBe(text);
    expect(measured).toBeLessThan(5 * text.length);
  });
});
