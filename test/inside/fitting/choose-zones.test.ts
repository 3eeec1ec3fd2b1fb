import { describe, expect, it } from 'vitest';
import {
  chooseZones,
  shortenZones,
  verbatimFrom,
  type ZoneInput,
} from '../../../src/fitting/choose-zones.ts';
import { assistant } from '../../support/prompt-messages.ts';
import { conversationOf } from './call-to-fit.ts';

/** Twenty messages of 100 tokens; from the first on, a group each. */
const zones: ZoneInput = {
  tokens: Array.from({ length: 20 }, () => 100),
  start: 0,
  room: 1000,
  step: 64,
  growth: 0,
  pause: () => undefined,
};
const boundaries = Array.from({ length: 19 }, (_, index) => index + 1);
const nothing = (): number => 0;

function leastOf(tokens: number) {
  return {
    tokens: new Map(boundaries.map((index) => [index - 1, tokens] as const)),
    reach: 0,
  };
}

describe('verbatimFrom', () => {
  it('leaves the newest their share of the room', async () => {
    expect(await verbatimFrom(zones, boundaries, nothing)).toBe(13);
  });

  it('leaves them less beside what stands in front of them', async () => {
    expect(await verbatimFrom(zones, boundaries, () => 400)).toBe(16);
  });

  it('is the end where the last message alone takes more', async () => {
    expect(await verbatimFrom({ ...zones, room: 120 }, boundaries, nothing)).toBe(20);
  });
});

describe('chooseZones', () => {
  const cuts = { cuts: boundaries, frontTokens: nothing, keptTokens: nothing };

  it('leaves nothing out where shortening is enough', async () => {
    expect(await chooseZones(zones, cuts, 13, leastOf(10))).toBe(0);
  });

  it('leaves out no more than dropping alone would where nothing can be shortened', async () => {
    const none = { tokens: new Map<number, number>(), reach: 0 };
    expect(await chooseZones(zones, cuts, 13, none)).toBe(10);
  });

  it('knows when no cut is enough', async () => {
    const front = { ...cuts, frontTokens: () => 2000 };
    expect(await chooseZones(zones, front, 13, leastOf(10))).toBeUndefined();
  });
});

describe('shortenZones', () => {
  const conversation = conversationOf(Array.from({ length: 20 }, () => assistant('.'.repeat(100))));
  const whole = async (first: number, end: number) => conversation.messages.slice(first, end);

  it.each([
    [1979, 2],
    [1880, 2],
    [1879, 3],
    [1080, 10],
    [1079, 11],
  ])('leaves space in a room of %i for the frame that a record takes', async (room, cut) => {
    const divided = await shortenZones(conversation, { room, step: 64, growth: 0 }, whole);
    expect(divided?.cut).toBe(cut);
  });
});

/** Figures found by search: together they tell the rules from nearly every other way to write them. */
describe('chooseZones and verbatimFrom', () => {
  it.each([
    // room, step, growth, start, front, kept, verbatim, least, every, reach: the cut, and what stays
    [500, 16, 8, 3, 50, 100, 20, 10, 1, 0, 12, 18],
    [500, 16, 14, 3, 100, 100, 10, 10, 1, 0, 18, 18],
    [500, 256, 0, 3, 0, 0, 20, 50, 2, 0, 10, 18],
    [500, 256, 0, 3, 50, 50, 10, 5, 1, 0, 16, 17],
    [500, 256, 230, 0, 300, 50, 20, 30, 2, 0, 16, 20],
    [800, 64, 57, 0, 100, 100, 20, 5, 3, 0, 0, 18],
    [1000, 16, 8, 0, 100, 0, 20, 10, 1, 5, 6, 14],
    [1000, 32, 0, 0, 100, 50, 20, 50, 3, 0, 3, 15],
    [1000, 32, 28, 0, 50, 100, 16, 30, 1, 0, 11, 14],
    [1000, 32, 28, 0, 300, 0, 10, 30, 2, 5, 14, 16],
    [1000, 64, 16, 0, 300, 50, 16, 50, 1, 5, 11, 16],
    [1200, 128, 0, 3, 0, 50, 13, 10, 3, 0, 3, 12],
    [1500, 16, 0, 0, 0, 100, 20, 50, 2, 0, 6, 10],
    [1500, 64, 32, 3, 0, 50, 20, 30, 1, 0, 3, 10],
    [1500, 128, 115, 0, 50, 50, 13, 50, 2, 0, 6, 12],
  ])(
    'divide a room of %i: step %i, growth %i, start %i, front %i, kept %i, from %i on whole, others of %i, a cut every %i, read to %i',
    async (
      room,
      step,
      growth,
      start,
      front,
      kept,
      verbatim,
      leastTokens,
      every,
      reach,
      cut,
      whole,
    ) => {
      const tokens = zones.tokens.map((full, index) => (index < start ? 0 : full));
      const input = { ...zones, tokens, start, room, step, growth };
      const cuts = boundaries.filter((index) => index > start && index < 19 && index % every === 0);
      const keptTokens = (): number => kept;
      const frontTokens = (at: number): number => (at === start ? kept : front + kept);
      const shorter = [...boundaries.map((index) => index - 1), 19];
      const known = shorter.filter((index) => index >= Math.max(reach, start) && index < verbatim);
      const least = { tokens: new Map(known.map((index) => [index, leastTokens])), reach };
      expect(await chooseZones(input, { cuts, frontTokens, keptTokens }, verbatim, least)).toBe(
        cut,
      );
      expect(await verbatimFrom(input, cuts, frontTokens)).toBe(whole);
    },
  );
});
