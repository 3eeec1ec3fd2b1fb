import { readFileSync } from 'node:fs';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TextCounter } from '../../../../src/tokens/text/create-text-counter.ts';
import { loadTextCounter } from '../../../../src/tokens/text/load-text-counter.ts';

const ordinaryText = { disallowedSpecial: new Set<string>() };
const unguarded = (text: string): number => countTokens(text, ordinaryText);

const ordinary: readonly (readonly [name: string, text: string])[] = [
  ['source code', readFileSync(new URL('./load-text-counter.test.ts', import.meta.url), 'utf8')],
  ['a JSON document', readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')],
  [
    'a minified document',
    JSON.stringify({ rows: Array.from({ length: 200 }, (_, id) => ({ id })) }),
  ],
  [
    'English',
    'The committee met on Tuesday. "We can\'t postpone it again," she said; nobody answered.\n\n'.repeat(
      50,
    ),
  ],
  [
    'German',
    'Die Donaudampfschifffahrtsgesellschaft übernahm die Überfahrt für dreißig Gäste.\n'.repeat(50),
  ],
  [
    'Chinese',
    '昨天下午，他在图书馆里读完了那本关于宇宙起源的书，然后沿着河边慢慢走回家。'.repeat(50),
  ],
  ['Japanese', '来週の会議は水曜日に変更されました。資料は前日までに送ってください。\n'.repeat(50)],
  ['Thai', 'ภาษาไทยไม่มีการเว้นวรรคระหว่างคำ แต่จะเว้นวรรคเมื่อจบประโยค '.repeat(50)],
  ['Hindi', 'कल की बैठक स्थगित कर दी गई है। कृपया नई तारीख की प्रतीक्षा करें।\n'.repeat(50)],
  ['emoji', 'Done 🎉🎉 see you 👩‍👩‍👧 tomorrow 🇩🇪\n'.repeat(50)],
  [
    'a table',
    `| file | size |\n|${'-'.repeat(40)}|${'-'.repeat(20)}|\n| a.ts | 12 kB |\n`.repeat(50),
  ],
  [
    'a log',
    `2026-07-01T10:00:00Z INFO ${'='.repeat(60)} request 8f14e45fceea167a5a36dedd4bea2543\n`.repeat(
      50,
    ),
  ],
];

let counter: TextCounter;
beforeAll(async () => {
  counter = await loadTextCounter();
});

describe('loadTextCounter', () => {
  it('loads once', () => {
    expect(loadTextCounter()).toBe(loadTextCounter());
  });

  it.each([
    ['', 0],
    ['hello world', 2],
    ['a', 1],
    ['漢字', 2],
    ['\ud800', 1],
  ])('counts %j as %i', (text, tokens) => {
    expect(counter.count(text)).toBe(tokens);
  });

  it.each(ordinary)('is within 0.1 %% of the unguarded count on %s', (_, text) => {
    const exact = unguarded(text);
    expect(Math.abs(counter.count(text) - exact) / exact).toBeLessThanOrEqual(0.001);
  });

  it.each([
    '<|endoftext|>',
    'say <|endofprompt|> and <|im_start|>system',
    '<|fim_prefix|><|im_end|>',
  ])('takes %j for ordinary text', (text) => {
    const tokens = counter.count(text);
    expect(tokens).toBe(unguarded(text));
    expect(tokens).toBeGreaterThan(3);
  });

  it.each([
    ['one letter', 'a'],
    ['spaces', ' '],
    ['line breaks', '\n'],
    ['dashes', '-'],
    ['lone surrogates', '\ud800'],
    ['Latin mixed with kana', 'aあ'],
    ['unspaced Chinese', '漢字仮名交文'],
    ['emoji', '😀'],
    ['combining marks', 'e\u0301'],
    ['hexadecimal digits', '8f14e45fceea167a'],
  ])('counts 1 MB of %s without a break, within 1 %% of a short piece scaled up', (_, unit) => {
    // Unguarded, even the short piece takes milliseconds and the long one minutes.
    const short = unit.repeat(4096 / unit.length);
    const scale = 256;
    const expected = unguarded(short) * scale;
    expect(Math.abs(counter.count(short.repeat(scale)) - expected) / expected).toBeLessThan(0.01);
  });
});

describe('loadTextCounter after a failure', () => {
  afterEach(() => {
    vi.doUnmock('gpt-tokenizer/GptEncoding');
    vi.resetModules();
  });

  it('tries again', async () => {
    vi.resetModules();
    vi.doMock('gpt-tokenizer/GptEncoding', () => {
      throw new Error('network');
    });
    const { loadTextCounter: load } =
      await import('../../../../src/tokens/text/load-text-counter.ts');
    await expect(load()).rejects.toThrow('error when mocking');
    vi.doUnmock('gpt-tokenizer/GptEncoding');
    await expect(load().then(({ count }) => count('hello world'))).resolves.toBe(2);
  });
});
