import type { ModelMessage } from 'ai';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContextOverflowError } from '../../src/index.ts';
import { anthropicStateful, openaiStateful } from './conversations/random-state.ts';
import { toolsWithOneDeferred } from './conversations/state-conversations.ts';
import { wireProviders } from './providers.ts';
import { type Sent, send, sendUntouched } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';
import { shortSummaries } from './short-summaries.ts';
import { legalFaults } from './wire-faults.ts';

const stateful = wireProviders.flatMap((provider) => {
  if (provider.name === 'openai.responses') return [{ provider, conversations: openaiStateful }];
  return provider.name === 'anthropic with system messages in mid conversation'
    ? [{ provider, conversations: anthropicStateful }]
    : [];
});

const runs = 300;

/** The record that stands in a prompt; empty for none. */
function recordIn({ sent }: Sent): string {
  return /\[summary-depth:\d+\] [\w-]+/.exec(JSON.stringify(sent))?.[0] ?? '';
}

describe.each(stateful)('P62: $provider.name', ({ provider, conversations }) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());

  const options = fc.record({
    preserveRecent: fc.integer({ min: 2, max: 8 }),
    placement: fc.constantFrom(...provider.placements),
    strategy: fc.constantFrom(undefined, 'none' as const),
    contextLength: fc.oneof(
      { weight: 3, arbitrary: fc.constant(200_000) },
      { weight: 1, arbitrary: fc.integer({ min: 900, max: 3000 }) },
    ),
    condenseToolResults: fc.boolean(),
  });
  const request = fc.record({
    end: fc.nat(),
    force: fc.boolean(),
    pin: fc.array(fc.nat({ max: 20 }), { maxLength: 2 }),
  });
  let cases = 0;

  it(`what covered messages set is in force after them, in ${runs} conversations`, async () => {
    let summarised = 0;
    const check = async (
      messages: readonly ModelMessage[],
      requests: readonly { length: number; force: boolean; pin: number[] }[],
      wanted: Parameters<typeof shortSummaries>[0],
    ): Promise<void> => {
      const middleware = shortSummaries(wanted);
      const name = `stateful ${(cases += 1)}`;
      const conversation = { name, messages, tools: toolsWithOneDeferred };
      let previous: Sent | undefined;
      for (const [index, { length, ...how }] of requests.entries()) {
        const now = messages.slice(0, length);
        const untouched = await sendUntouched(provider, server, conversation, now);
        const caseId = `${name}/${index}`;
        const sent = await send(provider, server, conversation, {
          ...how,
          caseId,
          messages: now,
          middleware,
        });
        if (ContextOverflowError.isInstance(sent.error)) return;
        expect(legalFaults(sent, untouched, conversation)).toEqual([]);
        const record = recordIn(sent);
        if (record !== '') summarised += 1;
        const isSame = previous !== undefined && record !== '' && recordIn(previous) === record;
        const isWhole = wanted.contextLength === 200_000 && how.pin.length === 0;
        const before = isSame && isWhole ? JSON.stringify(previous?.sent).slice(0, -1) : '';
        expect(JSON.stringify(sent.sent).startsWith(before)).toBe(true);
        // Other pins make another prompt of the same record.
        previous = how.pin.length === 0 ? sent : undefined;
      }
    };
    await fc.assert(
      fc.asyncProperty(
        conversations,
        options,
        fc.array(request, { minLength: 1, maxLength: 3 }),
        async ({ messages, ends }, { strategy, ...others }, requests) => {
          const sequence = requests
            .map(({ end, ...rest }) => ({ ...rest, length: ends[end % ends.length] ?? 0 }))
            .toSorted((one, other) => one.length - other.length);
          const wanted = strategy === undefined ? others : { ...others, strategy };
          await check(messages, sequence, wanted);
        },
      ),
      { numRuns: runs },
    );
    expect(summarised).toBeGreaterThan(runs / 4);
  });
});
