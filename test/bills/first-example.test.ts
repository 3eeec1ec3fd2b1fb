import { describe, expect, it } from 'vitest';
import { billOf, expectFairBill, modelOf, ratios, shapes } from './one-call.ts';

/** Instructions take a good part of less. */
const smallWindow = 10_000;

describe('the first example: the model summarises itself', () => {
  const cases = Object.entries({
    'gpt-4o': 128_000,
    'gpt-3.5': 16_384,
    'gpt-4': 8192,
    'llama-2': 4096,
  }).flatMap(([modelId, window]) =>
    ratios.flatMap((ratio) => shapes.map((shape) => ({ modelId, window, ratio, shape }))),
  );
  it.each(cases.map((each, index) => ({ ...each, isReported: index % 2 === 1 })))(
    'one call of $modelId at $ratio of its window, as $shape, usage reported: $isReported',
    async ({ modelId, window, ratio, shape, isReported }) => {
      const tokens = ratio * window;
      const bill = await billOf({ model: modelOf(modelId, isReported), shape, tokens, isReported });
      expectFairBill(bill);
      expect(bill.calls).toBeLessThanOrEqual(window < smallWindow ? 4 : 1);
    },
  );

  it.each([
    ['claude-sonnet-4-5', 200_000],
    ['gpt-5-mini', 272_000],
  ])('one call of %s, whatever its share', async (modelId, window) => {
    for (const [index, ratio] of ratios.entries()) {
      const shape = shapes[index] ?? 'chat';
      const bill = await billOf({ model: modelOf(modelId), shape, tokens: ratio * window });
      expectFairBill(bill);
      expect(bill.calls).toBe(1);
    }
  });
});

describe('another model summarises', () => {
  it('one call of a larger one', async () => {
    const summarizer = modelOf('gemini-2.5-flash');
    const model = modelOf('gpt-4o');
    const options = { summarizerModelPreference: summarizer };
    const bill = await billOf({ model, summarizer, shape: 'chat', tokens: 104_000, options });
    expectFairBill(bill);
    expect(bill.calls).toBe(1);
    expect(model.doGenerateCalls).toHaveLength(1);
  });

  it('as few calls of a smaller one as its window allows', async () => {
    const summarizer = modelOf('gpt-4-32k');
    const options = { summarizerModelPreference: summarizer };
    const model = modelOf('gpt-4o');
    const bill = await billOf({ model, summarizer, shape: 'chat', tokens: 104_000, options });
    expectFairBill(bill);
    expect(bill.calls).toBe(Math.ceil(bill.covered / 28_000));
  });

  it('no more than eight calls of one that is far too small, and the rules read the beginning', async () => {
    const summarizer = modelOf('gpt-4');
    const options = { summarizerModelPreference: summarizer };
    const model = modelOf('gpt-4o');
    const bill = await billOf({ model, summarizer, shape: 'chat', tokens: 104_000, options });
    expectFairBill(bill);
    expect(bill.calls).toBeGreaterThan(5);
    expect(bill.calls).toBeLessThanOrEqual(8);
    expect(bill.read).toBeLessThan(8 * 8192);
  });
});

describe('what one request can buy', () => {
  it.each([
    ['words', 'river stone cloud market '.repeat(165_000)],
    [
      'Chinese',
      Array.from({ length: 1_300_000 }, (_, index) =>
        String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
      ).join(''),
    ],
  ])('is eight calls at most, of a body of 4 MB: %s', async (_name, text) => {
    const model = modelOf('gpt-4o');
    const messages = Array.from({ length: 20 }, (_each, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: text.slice((index * text.length) / 20, ((index + 1) * text.length) / 20),
    }));
    const bill = await billOf({ model, messages: [...messages, { role: 'user', content: 'So?' }] });
    expect(bill.calls).toBeLessThanOrEqual(8);
    expect(bill.end).toMatchObject({ strategy: 'llm', degraded: false });
  });
});
