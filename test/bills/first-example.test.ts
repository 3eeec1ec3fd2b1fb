import { describe, expect, it } from 'vitest';
import { asksForSummary } from '../support/table-models.ts';
import { billOf, expectFairBill, ratios, shapes } from './one-call.ts';

describe('the first example: the model summarises itself', () => {
  // Instructions take a good part of a small window.
  const mostCalls = Object.entries({ 'gpt-4o': 1, 'gpt-3.5-turbo': 1, 'gpt-4': 3, 'llama-2': 4 });
  const cases = mostCalls.flatMap(([modelId, most]) =>
    ratios.flatMap((ratio) => shapes.map((shape) => ({ modelId, most, ratio, shape }))),
  );
  it.each(cases.map((each, index) => ({ ...each, isReported: index % 2 === 1 })))(
    'at most $most of $modelId at $ratio of its window, as $shape, usage reported: $isReported',
    async ({ most, ...question }) => {
      const bill = await billOf(question);
      expectFairBill(bill);
      expect(bill.calls).toBeLessThanOrEqual(most);
    },
  );

  it.each(['claude-sonnet-4-5', 'gpt-5-mini'])('one call of %s', async (modelId) => {
    for (const [index, ratio] of ratios.entries()) {
      const bill = await billOf({ modelId, ratio, shape: shapes[index] ?? 'chat' });
      expectFairBill(bill);
      expect(bill.calls).toBe(1);
      // The window has room for them: that is not left to the provider's own default.
      const asked = bill.inner.doGenerateCalls.filter(asksForSummary);
      expect(asked.map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([8000]);
    }
  });
});

describe('another model summarises', () => {
  it('one call of a larger one', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gemini-2.5-flash' });
    expectFairBill(bill);
    expect(bill.calls).toBe(1);
    expect(bill.inner.doGenerateCalls).toHaveLength(1);
  });

  it('as few calls of a smaller one as its window allows', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gpt-4-32k' });
    expectFairBill(bill);
    expect(bill.calls).toBe(Math.ceil(bill.covered / 26_000));
  });

  it('no more than eight calls of one that is far too small: the rules read the beginning', async () => {
    const bill = await billOf({ modelId: 'gpt-4o', summarizerId: 'gpt-4' });
    expectFairBill(bill);
    expect(bill.calls).toBeGreaterThan(5);
    expect(bill.calls).toBeLessThanOrEqual(8);
    expect(bill.read).toBeLessThan(8 * 8192);
  });
});

describe('what one request can buy', () => {
  const ideograph = (index: number): string =>
    String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000));
  it.each([
    ['words', 'river stone cloud market '.repeat(165_000)],
    ['Chinese', Array.from({ length: 1_300_000 }, (_, index) => ideograph(index)).join('')],
  ])('is eight calls at most, of a body of 4 MB: %s', async (_name, text) => {
    const messages = Array.from({ length: 20 }, (_each, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: text.slice((index * text.length) / 20, ((index + 1) * text.length) / 20),
    }));
    const bill = await billOf({
      modelId: 'gpt-4o',
      messages: [...messages, { role: 'user', content: 'So?' }],
    });
    expect(bill.calls).toBeLessThanOrEqual(8);
    expect(bill.end).toMatchObject({ strategy: 'llm', degraded: false });
  });
});
