import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContextOverflowError } from '../../src/index.ts';
import { randomConversation } from './conversations/random-conversation.ts';
import { wireProviders } from './providers.ts';
import { send, sendUntouched } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';
import { shortSummaries } from './short-summaries.ts';
import { legalFaults } from './wire-faults.ts';

describe.each(wireProviders)('P12 for random conversations: $name', (provider) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());

  const options = fc.record({
    preserveRecent: fc.integer({ min: 2, max: 9 }),
    placement: fc.constantFrom(...provider.placements),
    contextLength: fc.oneof(fc.constant(200_000), fc.integer({ min: 900, max: 6000 })),
    preserveRecentTokenRatio: fc.constantFrom(0, 0.1, 0.4),
    preserveUserTurns: fc.boolean(),
  });
  /** Which of the ends of the conversation is sent next, and how. */
  const request = fc.record({
    end: fc.nat(),
    force: fc.boolean(),
    pin: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
  });
  let calls = 0;

  it('what was legal before is legal after, request after request', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomConversation(provider.dialect, provider.lacks),
        options,
        fc.array(request, { minLength: 1, maxLength: 3 }),
        async ({ messages, ends }, wanted, requests) => {
          const middleware = shortSummaries(wanted);
          const conversation = { name: `random ${(calls += 1)}`, messages };
          const sequence = requests
            .map(({ end, ...rest }) => ({ ...rest, length: ends[end % ends.length] ?? 0 }))
            .toSorted((one, other) => one.length - other.length);
          for (const [index, { length, force, pin }] of sequence.entries()) {
            const now = messages.slice(0, length);
            // oxlint-disable-next-line no-await-in-loop -- the requests of a conversation follow each other
            const untouched = await sendUntouched(provider, server, conversation, now);
            const caseId = `${conversation.name}/${index}`;
            // oxlint-disable-next-line no-await-in-loop -- as above
            const sent = await send(provider, server, conversation, {
              caseId,
              messages: now,
              middleware,
              force,
              pin,
            });
            const isRefusedByUs = ContextOverflowError.isInstance(sent.error);
            const faults = isRefusedByUs ? [] : legalFaults(sent, untouched, conversation);
            expect(faults).toEqual([]);
          }
        },
      ),
    );
  });
});
