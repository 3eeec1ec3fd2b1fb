import { describe, expect, it } from 'vitest';
import { replayCalls } from '../../../src/call/cost-of-call.ts';

type ReplayedCalls = Parameters<typeof replayCalls>[0];
type CountedMessage = ReplayedCalls['messages'][number];

const prices = { input: 1, cacheRead: 0.1, cacheWrite: 1.25, output: 5, cacheMinutes: 5 };
const input: Omit<ReplayedCalls, 'messages'> = {
  firstCall: 0,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
  prices,
};
const task: CountedMessage = { role: 'user', tokens: 100, freed: 0 };

/** A task, and steps of a call and its result. */
function agent(steps: number): readonly CountedMessage[] {
  const step: readonly CountedMessage[] = [
    { role: 'assistant', tokens: 50, freed: 0 },
    { role: 'tool', tokens: 1000, freed: 900 },
  ];
  return [task, ...Array.from({ length: steps }, () => step).flat()];
}

describe('replayCalls', () => {
  it('condenses old tool outputs in steps that stay for many calls', () => {
    const reached = Array.from({ length: 60 }, (_, steps) =>
      replayCalls({ ...input, messages: agent(steps) }),
    );
    const places = reached.map(({ condensedUpTo }) => condensedUpTo);
    expect(places.toSorted((a, b) => a - b)).toEqual(places);
    const distinct = new Set(places).size - 1;
    expect(distinct).toBeGreaterThan(5);
    expect(distinct).toBeLessThan(20);
    for (const [steps, { isNew, condensedUpTo }] of reached.entries())
      expect(isNew).toBe(condensedUpTo !== (places[steps - 1] ?? 0));
  });

  it('decides of the past alike whatever comes after', () => {
    const messages = agent(60);
    const ends = Array.from({ length: 59 }, (_, step) => 1 + 2 * step);
    const before = (end: number): number =>
      replayCalls({ ...input, messages: messages.slice(0, end) }).condensedUpTo;
    const unchanged = ends.filter(
      (end) => !replayCalls({ ...input, messages: messages.slice(0, end + 2) }).isNew,
    );
    expect(unchanged.map((end) => before(end + 2))).toEqual(unchanged.map(before));
  });

  it('looks at each message a few times, however many calls there were', () => {
    let looks = 0;
    const message = (tokens: number, freed = 0): CountedMessage => ({
      role: freed > 0 ? 'tool' : 'assistant',
      tokens,
      get freed() {
        looks += 1;
        return freed;
      },
    });
    const talk = Array.from({ length: 1000 }, () => message(1));
    // What would be sent anew is too dear for the one output ever to be condensed.
    const messages = [...talk, message(10, 1), message(10_000_000), ...talk];
    expect(replayCalls({ ...input, messages }).condensedUpTo).toBe(0);
    expect(looks).toBeLessThan(10 * messages.length);
  });

  it('leaves the recent messages whole, and a call with its result', () => {
    const messages = agent(60);
    const { condensedUpTo } = replayCalls({ ...input, messages, preserveRecent: 7 });
    expect(messages.length - condensedUpTo).toBeGreaterThanOrEqual(7);
    expect(messages[condensedUpTo]?.role).toBe('assistant');
  });

  it('keeps a share of the conversation too', () => {
    const messages = agent(60);
    const kept = replayCalls({ ...input, messages, preserveRecentTokenRatio: 0.5 });
    expect(kept.recent).toBeGreaterThan(0.45 * messages.length * 525);
  });

  it('leaves small outputs alone in a long talk, whose texts would be sent anew', () => {
    const talk: readonly CountedMessage[] = Array.from({ length: 20 }, () => [
      { role: 'user', tokens: 200, freed: 0 } as const,
      { role: 'assistant', tokens: 400, freed: 0 } as const,
    ]).flat();
    const messages = Array.from({ length: 10 }, () => [...agent(1), ...talk]).flat();
    const ends = [...messages.keys()].slice(1);
    const small = messages.map((each) => ({ ...each, freed: each.freed === 0 ? 0 : 20 }));
    const placesOf = (given: readonly CountedMessage[]): readonly number[] =>
      ends.map((end) => replayCalls({ ...input, messages: given.slice(0, end) }).condensedUpTo);
    expect(new Set(placesOf(small))).toEqual(new Set([0]));
    const large = messages.map((each) => ({
      ...each,
      freed: each.freed * 9,
      tokens: each.freed * 9 + each.tokens,
    }));
    expect(new Set(placesOf(large)).size).toBeGreaterThan(4);
  });

  it('condenses nothing where that frees nothing', () => {
    const messages = agent(60).map((message) => ({ ...message, freed: 0 }));
    expect(replayCalls({ ...input, messages })).toMatchObject({ condensedUpTo: 0, isNew: false });
  });

  it('condenses what is old with every call where there is no cache to break', () => {
    const without = { ...prices, cacheRead: 1, cacheWrite: 1 };
    const { condensedUpTo } = replayCalls({ ...input, messages: agent(9), prices: without });
    expect(condensedUpTo).toBe(17);
  });
});
