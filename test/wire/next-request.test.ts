import type { ModelMessage } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Conversation, maySkip } from './conversations/conversation.ts';
import { chatDialect } from './conversations/dialects.ts';
import { answer, user } from './conversations/messages.ts';
import { wireProviders } from './providers.ts';
import { send, sendUntouched } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';
import { shortSummaries } from './short-summaries.ts';
import { hasSummary, legalFaults, verbatimFaults } from './wire-faults.ts';

/** The conversation some turns later, in objects of its own. */
function grown({ messages }: Conversation, turns: number): ModelMessage[] {
  const said = Array.from({ length: turns }, (_, index) => [
    answer(chatDialect, 90 + index),
    user(`turn ${index + 1} after the end`),
  ]).flat();
  const isAnswered = messages.at(-1)?.role === 'assistant';
  return structuredClone([...messages, ...(isAnswered ? said.slice(1) : said)]);
}

describe.each(wireProviders)('the requests after a summary: $name', (provider) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());

  const closed = provider.conversations.filter(
    (conversation) => conversation.isOpen !== true && !maySkip(conversation),
  );

  it.each(closed)('$name', async (conversation) => {
    const next = grown(conversation, 1);
    const later = grown(conversation, 4);
    const untouched = await sendUntouched(provider, server, conversation, next);
    const faults = await Promise.all(
      (['auto', 'user'] as const).map(async (placement) => {
        const middleware = shortSummaries({ preserveRecent: 4, placement });
        const step = (name: string, messages: readonly ModelMessage[], force: boolean) =>
          send(provider, server, conversation, {
            caseId: `${conversation.name}/${placement}/${name}`,
            middleware,
            messages,
            force,
          });
        const first = await step('first', conversation.messages, true);
        const second = await step('second', next, false);
        const third = await step('third', later, true);
        const prefix = JSON.stringify(first.sent).slice(0, -1);
        return [
          hasSummary(first) && hasSummary(second) ? [] : ['the summary did not come back'],
          JSON.stringify(second.sent).startsWith(prefix)
            ? []
            : ['not an extension of the prompt before'],
          hasSummary(third, 1) ? [] : ['no second generation'],
          ...[second, third].map((sent) => [
            ...legalFaults(sent, untouched, conversation),
            ...verbatimFaults(sent),
          ]),
        ]
          .flat()
          .map((fault) => `${placement}: ${fault}`);
      }),
    );
    expect(faults.flat()).toEqual([]);
  });
});
