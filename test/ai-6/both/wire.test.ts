import { describe, expect, it } from 'vitest';
import { providersOf } from '../../wire/providers.ts';
import {
  hasSummary,
  legalFaults,
  send,
  sendUntouched,
  shortSummaries,
  verbatimFaults,
} from '../../wire/send.ts';

const providers = ['openai', 'anthropic', 'google'].flatMap((name) => providersOf(name));

describe.each(providers)('through the real provider of each SDK: $name', (provider) => {
  it('what was legal before is legal after', async () => {
    const outcomes = provider.conversations.map(async (conversation) => {
      const { name, mustKeep = '' } = conversation;
      const untouched = await sendUntouched(provider, conversation).catch(() => undefined);
      // Some hold parts that only AI SDK 7 knows.
      if (untouched === undefined || !JSON.stringify(untouched.body).includes(mustKeep)) return [];
      const modes = (['generate', 'stream'] as const).map(async (mode) => {
        const middleware = shortSummaries({ preserveRecent: 3, placement: 'auto' });
        const sent = await send(provider, conversation, { middleware, mode, force: true });
        const faults = [...legalFaults(sent, untouched, conversation), ...verbatimFaults(sent)];
        return {
          isSummarized: hasSummary(sent),
          faults: faults.map((fault) => [name, mode, fault]),
        };
      });
      return Promise.all(modes);
    });
    const legal = (await Promise.all(outcomes)).flat();
    expect(legal.length).toBeGreaterThan(provider.conversations.length);
    expect(legal.flatMap(({ faults }) => faults)).toEqual([]);
    const summarized = legal.filter(({ isSummarized }) => isSummarized);
    expect(summarized.length).toBeGreaterThan(legal.length * 0.7);
  });
});
