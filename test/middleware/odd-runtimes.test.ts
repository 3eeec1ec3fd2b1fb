import { afterEach, describe, expect, it, vi } from 'vitest';
import { chat } from '../support/messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { called, type SetUp } from '../support/set-up.ts';
import { sharedStore } from '../support/shared-store.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Of a conversation so long that the work is done in slices. */
const inSlices = { contextLength: 200_000, archive: true, strategy: 'rule-based' } as const;

/** The summary that was sent, where nothing failed. */
function summaryIn({ inner, events }: SetUp): string | undefined {
  expect(events.map(({ type }) => type)).not.toContain('failed');
  return summaryOf(lastPrompt(inner));
}
const first = /^\[summary-depth:0\]/;

describe('a call that summarizes', () => {
  it.each([
    ['all of them', undefined],
    [
      'all but the clocks',
      [
        ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const),
        ...(['setImmediate', 'clearImmediate'] as const),
      ],
    ],
  ])('does not hang where a test has replaced timers: %s', async (_which, toFake) => {
    vi.useFakeTimers(toFake && { toFake });
    expect(summaryIn(await called(chat(1001, 200), inSlices))).toMatch(first);
  });

  it('summarizes where a channel of messages is there and throws, as at the edge of Next.js', async () => {
    vi.stubGlobal('MessageChannel', () => {
      throw new Error('A Node.js API is used (MessageChannel).');
    });
    expect(summaryIn(await called(chat(1001, 200), inSlices))).toMatch(first);
  });

  it('summarizes where there is no performance', async () => {
    // The loader of the tests asks for it.
    await called(chat(19));
    vi.stubGlobal('performance', undefined);
    expect(summaryIn(await called(chat(19)))).toMatch(first);
  });
});

describe('a page of an insecure origin', () => {
  const { subtle } = crypto;
  const stubCrypto = (given: Partial<Crypto>): void => {
    const getRandomValues = crypto.getRandomValues.bind(crypto);
    vi.stubGlobal('crypto', { getRandomValues, ...given });
  };

  it('pays for nothing that it could not recognize again: its calls go out as they came', async () => {
    stubCrypto({});
    // The process remembers the keys of conversations that it has seen.
    const unseen = { namespace: 'without subtle' };
    const secret = 'of all pages alike';
    for (const options of [unseen, { store: sharedStore().open(), secret }]) {
      const { inner, summarizer, events } = await called(chat(19), options);
      expect(summarizer.doGenerateCalls).toHaveLength(0);
      expect(lastPrompt(inner)).toHaveLength(19);
      expect(events.at(-1)).toMatchObject({ type: 'failed', stage: 'prepare' });
    }
  });

  it('has ids and secrets of its own without randomUUID', async () => {
    stubCrypto({ subtle });
    const options = { archive: true, store: sharedStore().open() };
    expect(summaryIn(await called(chat(19), options))).toMatch(first);
  });
});
