import { describe, expect, it } from 'vitest';
import { chooseZones, verbatimFrom, type ZoneInput } from '../../src/fitting/choose-zones.ts';

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
