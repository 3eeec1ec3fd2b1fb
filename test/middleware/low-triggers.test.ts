import { generateText } from 'ai';
import { expect, it } from 'vitest';
import type { SummarizationEvent, SummarizationOptions } from '../../src/index.ts';
import { assistant, user, words } from '../support/messages.ts';
import { setUp } from '../support/set-up.ts';

const talk = Array.from({ length: 201 }, (_, index) =>
  index % 2 === 0 ? user(words(index, 40)) : assistant(words(index, 40)),
);

/** The summaries of a conversation that grows call by call. */
async function summariesOf(options: SummarizationOptions) {
  const { model, events } = setUp({ strategy: 'rule-based', ...options });
  const ends: (Extract<SummarizationEvent, { type: 'end' }> & { readonly kept: number })[] = [];
  for (let count = 1; count <= talk.length; count += 4) {
    events.length = 0;
    await generateText({ model, messages: talk.slice(0, count) });
    for (const event of events)
      if (event.type === 'end') ends.push({ ...event, kept: count - event.coveredMessages });
  }
  return ends;
}

it.each<[string, SummarizationOptions]>([
  ['tokenThreshold', { tokenThreshold: 4000 }],
  ['triggerTokenRatio', { triggerTokenRatio: 0.01 }],
])('a %s far from the limit costs no more than a context of that size', async (_name, trigger) => {
  const small = await summariesOf({ contextLength: 5000 });
  expect(small.length).toBeGreaterThan(1);
  const low = await summariesOf({ contextLength: 400_000, ...trigger });
  expect(low.length).toBeLessThanOrEqual(small.length + 1);
  for (const { kept, tokensAfter } of low) {
    expect(kept).toBeGreaterThanOrEqual(6);
    expect(tokensAfter).toBeLessThan(2000);
  }
});
