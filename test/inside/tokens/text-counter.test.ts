import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { estimateTokens, loadTextCounter } from '../../../src/tokens/text-counter.ts';

const texts = {
  prose:
    'The report has to be ready by Friday. First add the new figures to the table, then send it. ',
  code: 'export function sumOf(items: readonly number[]): number {\n  return items.reduce((sum, each) => sum + each, 0);\n}\n',
  JSON: '{"id":48213,"name":"river","tags":["a","b"],"at":"2026-11-26T15:12:31Z","isOpen":true}',
  log: '2026-11-26 15:12:31.482 WARN [worker-3] retrying GET /api/v2/items?page=7 after 1500 ms\n',
  Russian:
    'Отчёт должен быть готов к пятнице. Сначала добавь в таблицу новые данные, потом пришли. ',
  Chinese: '报告必须在星期五之前准备好。先把新的数字加到表格里，然后用电子邮件发给我。',
};

describe('estimateTokens', () => {
  it.each(Object.entries(texts))('is near the count of %s', (_, text) => {
    const ratio = estimateTokens(text.repeat(20)) / countTokens(text.repeat(20));
    expect(ratio).toBeGreaterThan(0.85);
    expect(ratio).toBeLessThan(1.4);
  });

  it('is 0 for nothing', () => {
    expect(estimateTokens('')).toBe(0);
  });
});

describe('the count of a long run of one kind', () => {
  const ideographs = Array.from({ length: 600 }, (_, index) =>
    String.fromCharCode(0x4e00 + ((index * 7919) % 3000)),
  );

  const letters = ideographs.map((text) => String.fromCharCode(97 + (text.charCodeAt(0) % 26)));

  it.each([
    ['letters', letters.join('')],
    ['ideographs', ideographs.join('')],
    ['white space', ' \t'.repeat(300)],
  ])('of %s is cut, and comes close to the whole', async (_, text) => {
    const { count } = await loadTextCounter();
    const ratio = count(text) / countTokens(text);
    expect(ratio).toBeGreaterThan(0.95);
    expect(ratio).toBeLessThan(1.15);
  });

  it('takes time by its length', async () => {
    const { count } = await loadTextCounter();
    // A second at most; whole it would take hours.
    expect(count(ideographs.join('').repeat(200))).toBeGreaterThan(100_000);
  });
});
