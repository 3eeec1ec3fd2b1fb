import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContextOverflowError, type SummarizationOptions } from '../../src/index.ts';
import { maySkip } from './conversations/conversation.ts';
import { type WireProvider, wireProviders } from './providers.ts';
import { send, sendUntouched } from './send.ts';
import { type WireServer, startWireServer } from './servers/wire-server.ts';
import { shortSummaries } from './short-summaries.ts';
import { hasSummary, legalFaults } from './wire-faults.ts';

type Options = SummarizationOptions & { readonly preserveRecent: number };

/** Other ways of keeping messages than a tail. */
const keeping: readonly Options[] = [
  { preserveRecent: 2, preserveUserTurns: true },
  { preserveRecent: 4, pin: ({ role }) => role === 'user' },
  {
    preserveRecent: 2,
    pin: (message) => /(module|topic) 2\b/.test(JSON.stringify(message.content)),
  },
  {
    preserveRecent: 3,
    pin: ({ role, content }) => role === 'tool' && JSON.stringify(content).includes('module 1,'),
  },
];

/** Contexts that hold only a part of the conversations, so that messages are shortened as well. */
const tooSmall: readonly Options[] = [900, 1400, 2200].map((contextLength) => ({
  preserveRecent: 4,
  contextLength,
}));

/** Gives each set of options the next placement of the provider. */
function placed({ placements }: WireProvider, variants: readonly Options[]): Options[] {
  return variants.map((options, index) =>
    Object.assign({ placement: placements[index % placements.length] }, options),
  );
}

describe.each(wireProviders)('other ways of making a prompt smaller: $name', (provider) => {
  let server: WireServer;
  beforeAll(async () => {
    server = await startWireServer(provider.api);
  });
  afterAll(() => server.close());
  let attempted = 0;
  let overflowed = 0;

  it.each(provider.conversations)('$name, with pins', async (conversation) => {
    const untouched = await sendUntouched(provider, server, conversation);
    const variants = placed(provider, keeping);
    const faults = await Promise.all(
      variants.map(async (options, index) => {
        const caseId = `${conversation.name}/pins ${index}`;
        const middleware = shortSummaries(options);
        const sent = await send(provider, server, conversation, {
          caseId,
          middleware,
          force: true,
        });
        return legalFaults(sent, untouched, conversation).map((fault) => `${caseId}: ${fault}`);
      }),
    );
    expect(faults.flat()).toEqual([]);
  });

  it.each(provider.conversations)('$name, in a context that is too small', async (conversation) => {
    const untouched = await sendUntouched(provider, server, conversation);
    const variants = placed(provider, tooSmall);
    const faults = await Promise.all(
      variants.map(async (options, index) => {
        const caseId = `${conversation.name}/small ${index}`;
        const middleware = shortSummaries(options);
        const sent = await send(provider, server, conversation, { caseId, middleware });
        attempted += 1;
        if (ContextOverflowError.isInstance(sent.error)) {
          overflowed += 1;
          return [];
        }
        const isSmaller = JSON.stringify(sent.sent).length < JSON.stringify(sent.given).length;
        return [
          ...legalFaults(sent, untouched, conversation),
          ...(isSmaller || hasSummary(sent) || maySkip(conversation)
            ? []
            : ['nothing was made smaller']),
        ].map((fault) => `${caseId}: ${fault}`);
      }),
    );
    expect(faults.flat()).toEqual([]);
  });

  it('makes most of the prompts fit', () => {
    expect(overflowed / attempted).toBeLessThan(0.5);
  });
});
