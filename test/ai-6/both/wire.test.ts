import { describe, expect, it } from 'vitest';
import { providersOf, type WireProvider } from '../../wire/providers.ts';
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
    const outcomes = await Promise.all(
      provider.conversations.map((conversation) => outcomeOf(provider, conversation)),
    );
    const legal = outcomes.filter((outcome) => outcome !== undefined);
    // Some hold parts that only AI SDK 7 knows.
    expect(legal.length).toBeGreaterThan(provider.conversations.length / 2);
    expect(legal.flatMap(({ faults }) => faults)).toEqual([]);
    expect(legal.filter(({ isSummarized }) => isSummarized).length).toBeGreaterThan(
      legal.length * 0.7,
    );
  });
});

type Conversation = WireProvider['conversations'][number];

/** What becomes of a conversation whose older messages are summarised; `undefined` where the SDK does not send it as it is. */
async function outcomeOf(provider: WireProvider, conversation: Conversation) {
  const untouched = await sendUntouched(provider, conversation).catch(() => undefined);
  const body = JSON.stringify(untouched?.body);
  if (untouched === undefined || !body.includes(conversation.mustKeep ?? '')) return undefined;
  const outcomes = await Promise.all(
    (['generate', 'stream'] as const).map(async (mode) => {
      const sent = await send(provider, conversation, {
        middleware: shortSummaries({ preserveRecent: 3, placement: 'auto' }),
        mode,
        force: true,
      });
      const faults = [...legalFaults(sent, untouched, conversation), ...verbatimFaults(sent)];
      return {
        isSummarized: hasSummary(sent),
        faults: faults.map((fault) => `${conversation.name}/${mode}: ${fault}`),
      };
    }),
  );
  return {
    isSummarized: outcomes.every(({ isSummarized }) => isSummarized),
    faults: outcomes.flatMap(({ faults }) => faults),
  };
}
