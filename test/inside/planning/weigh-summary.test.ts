import { describe, expect, it } from 'vitest';
import { outcomeOf, weighSummary, type CostFacts } from '../../../src/planning/weigh-summary.ts';

const prices = { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheMinutes: 5 };
/** 20,000 tokens of which a summary leaves 4,000; making it costs 10,000 + 1,725 + 16,000 to read. */
const facts: CostFacts = {
  prices,
  summarizerPrices: prices,
  tokens: 20_000,
  tokensAfter: 4000,
  fixedTokens: 2500,
  resentTokens: 0,
  reading: { again: 5000, messages: 16_000 },
  written: 1000,
  excess: 120_000,
  calls: 100,
};

describe('weighSummary', () => {
  it('says what a summary costs and saves', () => {
    const figures = weighSummary(facts);
    expect(figures).toMatchObject({ pays: true, callsAssumed: 100 });
    expect(figures.cost).toBeCloseTo(27_725);
    expect(figures.savingPerCall).toBeCloseTo(1600);
    expect(figures.paidMore).toBeCloseTo(12_000);
  });

  it.each<{ name: string; given: Partial<CostFacts>; pays: boolean }>([
    { name: 'as soon as the excess has cost as much', given: { excess: 117_251 }, pays: true },
    { name: 'not a call before', given: { excess: 117_249 }, pays: false },
    { name: 'not in a conversation that has just begun', given: { calls: 17 }, pays: false },
    { name: 'when enough calls are to be expected', given: { calls: 18 }, pays: true },
    { name: 'not where it frees nothing', given: { tokensAfter: 20_000 }, pays: false },
    {
      name: 'sooner where what stays is sent anew in any case',
      given: { resentTokens: 1000, excess: 105_751 },
      pays: true,
    },
    {
      name: 'sooner where code writes it',
      given: { summarizerPrices: undefined, excess: 17_300 },
      pays: true,
    },
    {
      name: 'sooner where a cheaper model writes it',
      given: { summarizerPrices: { ...prices, input: 0.1, output: 0.5 }, excess: 27_300 },
      pays: true,
    },
    {
      name: 'sooner where there is no cache',
      given: { prices: { ...prices, cacheRead: 1, cacheWrite: 1 }, excess: 10_000 },
      pays: true,
    },
    {
      name: 'sooner where the cache does not work',
      given: { cachedShare: 0, excess: 9000 },
      pays: true,
    },
    {
      name: 'at once where the cache has gone cold',
      given: { isCold: true, excess: 0 },
      pays: true,
    },
    {
      name: 'alike in another unit of prices',
      given: { prices: scaled(3), summarizerPrices: scaled(3), excess: 117_249 },
      pays: false,
    },
  ])('makes one $name', ({ given, pays }) => {
    expect(weighSummary({ ...facts, ...given }).pays).toBe(pays);
  });

  it('is never put off by what was just seen of the cache', () => {
    for (const excess of [0, 50_000, 100_000, 117_251, 200_000])
      for (const seen of [
        { cachedShare: 0.3 },
        { isCold: true },
        { cachedShare: 0, isCold: true },
      ]) {
        const byHistory = weighSummary({ ...facts, excess });
        const bySight = weighSummary({ ...facts, excess, ...seen });
        expect(Number(bySight.pays)).toBeGreaterThanOrEqual(Number(byHistory.pays));
      }
  });

  it('comes within a few per cent of the best length of a cycle', () => {
    const growth = 400;
    const costOf = (length: number): number => {
      const read = prices.cacheRead * growth * ((length * (length - 1)) / 2);
      return (11_725 + read) / length;
    };
    const best = Math.min(...Array.from({ length: 200 }, (_, index) => costOf(index + 1)));
    let excess = 0;
    let length = 0;
    while (!weighSummary({ ...facts, excess, calls: 1000 }).pays) {
      excess += growth * length;
      length += 1;
    }
    expect(costOf(length) / best).toBeLessThan(1.03);
  });
});

describe('outcomeOf', () => {
  it('adds up what a summary has cost and saved', () => {
    const sizes = { inputTokens: 10_000, outputTokens: 2000, written: 1000 };
    const { calls, cost, saved } = outcomeOf(facts, sizes, 20);
    expect(calls).toBe(20);
    expect(cost).toBeCloseTo(10_000 + 5000 + 1.15 * 2000);
    expect(saved).toBeCloseTo(0.1 * 8000 * 20);
  });
});

function scaled(by: number): CostFacts['prices'] {
  const { input, cacheRead, cacheWrite, output, cacheMinutes } = prices;
  return {
    input: input * by,
    cacheRead: cacheRead * by,
    cacheWrite: cacheWrite * by,
    output: output * by,
    cacheMinutes,
  };
}
