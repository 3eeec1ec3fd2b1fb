import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseRecentMessages, type CutChoice } from '../../../src/selection/cuts.ts';

const keptTokens = (): number => 0;

/** Ten messages of 10 tokens that may be cut anywhere. */
const ten: CutChoice = {
  messageTokens: Array.from({ length: 10 }, () => 10),
  candidates: [1, 2, 3, 4, 5, 6, 7, 8],
  keptTokens,
  preserveRecent: 4,
  preserveRecentTokens: 0,
  budget: 1000,
};

interface Case {
  readonly name: string;
  readonly input: Partial<CutChoice>;
  readonly cut: number | undefined;
}

const cases: readonly Case[] = [
  { name: 'keeps the number of messages asked for', input: {}, cut: 6 },
  { name: 'keeps more back to the next legal cut', input: { candidates: [2, 5, 8] }, cut: 5 },
  { name: 'keeps more while they fit their share', input: { preserveRecentTokens: 70 }, cut: 3 },
  { name: 'keeps no fewer for a small share', input: { preserveRecentTokens: 10 }, cut: 6 },
  {
    name: 'takes the first cut at most, however large the share',
    input: { preserveRecentTokens: 1e6 },
    cut: 1,
  },
  { name: 'keeps fewer while they do not fit the budget', input: { budget: 25 }, cut: 8 },
  {
    name: 'gives up its share for the budget',
    input: { budget: 50, preserveRecentTokens: 90 },
    cut: 5,
  },
  {
    name: 'counts what is kept in front of the tail',
    input: { budget: 45, keptTokens: () => 20 },
    cut: 8,
  },
  {
    name: 'counts it for each cut anew',
    input: { budget: 45, keptTokens: (cut) => (cut === 7 ? 0 : 30) },
    cut: 7,
  },
  { name: 'takes the last cut when none fits', input: { budget: 1 }, cut: 8 },
  {
    name: 'leaves a conversation alone that is no longer than its tail',
    input: { preserveRecent: 10 },
    cut: undefined,
  },
  {
    name: 'cuts such a conversation when it does not fit',
    input: { preserveRecent: 40, budget: 55 },
    cut: 5,
  },
  { name: 'has nothing to choose from', input: { candidates: [] }, cut: undefined },
  {
    name: 'has nothing to choose from although nothing fits',
    input: { candidates: [], budget: 1 },
    cut: undefined,
  },
];

describe('chooseRecentMessages', () => {
  it.each(cases)('$name', async ({ input, cut }) => {
    expect(await chooseRecentMessages({ ...ten, ...input })).toBe(cut);
  });

  it('only ever chooses a candidate, and never keeps less for a larger budget', async () => {
    const inputs = fc
      .array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 30 })
      .chain((messageTokens) =>
        fc.record({
          messageTokens: fc.constant(messageTokens),
          candidates: fc.subarray([...messageTokens.keys()].slice(1)),
          preserveRecent: fc.integer({ min: 2, max: 12 }),
          preserveRecentTokens: fc.nat(500),
          budget: fc.nat(2000),
          more: fc.nat(1000),
        }),
      );
    await fc.assert(
      fc.asyncProperty(inputs, async ({ more, ...input }) => {
        const cut = await chooseRecentMessages({ ...input, keptTokens });
        const wider = await chooseRecentMessages({
          ...input,
          budget: input.budget + more,
          keptTokens,
        });
        const chosen = [cut, wider].filter((candidate) => candidate !== undefined);
        expect(input.candidates).toEqual(expect.arrayContaining(chosen));
        expect(wider ?? 0).toBeLessThanOrEqual(cut ?? Number.POSITIVE_INFINITY);
      }),
      { numRuns: 500 },
    );
  });

  it('looks at what is kept for a few dozen cuts only, however many there are', async () => {
    let looks = 0;
    const count = 100_000;
    const cut = await chooseRecentMessages({
      messageTokens: Array.from({ length: count }, () => 1),
      candidates: Array.from({ length: count - 2 }, (_, index) => index + 1),
      keptTokens: (candidate) => {
        looks += 1;
        return candidate < 90_000 ? count : 10;
      },
      preserveRecent: 2,
      preserveRecentTokens: count,
      budget: count,
    });
    expect(cut).toBe(90_000);
    expect(looks).toBeLessThan(60);
  });

  it('does not look at what is kept before a tail that is too long by itself', async () => {
    const looked: number[] = [];
    const look = (cut: number): number => {
      looked.push(cut);
      return 0;
    };
    await chooseRecentMessages({ ...ten, keptTokens: look, preserveRecent: 9, budget: 25 });
    expect(looked).toEqual([8]);
  });
});
