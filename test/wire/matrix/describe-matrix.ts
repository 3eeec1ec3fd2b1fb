import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '../conversations/conversation.ts';
import { type WirePlacement, type WireProvider, providersOf } from '../providers.ts';
import { send, sendUntouched } from '../send.ts';
import { type WireServer, startWireServer } from '../servers/wire-server.ts';
import { shortSummaries } from '../short-summaries.ts';
import { hasSummary, legalFaults, verbatimFaults } from '../wire-faults.ts';

/** Where a summary is forced, and where it goes. */
interface MatrixCase {
  /** Messages kept at the end, which moves the cut. */
  readonly preserveRecent: number;
  readonly placement: WirePlacement;
  readonly mode: 'generate' | 'stream';
}

/**
 * Every cut of a conversation in every placement. `'auto'` stands for one of the others, so it is tried
 * at every third cut, as a stream.
 */
function casesOf({ placements }: WireProvider, { messages }: Conversation): MatrixCase[] {
  const count = messages.filter(({ role }) => role !== 'system').length;
  const cuts = Array.from({ length: count - 2 }, (_, index) => index + 2);
  return placements.flatMap((placement) =>
    placement === 'auto'
      ? cuts
          .filter((_, index) => index % 3 === 0)
          .map((preserveRecent): MatrixCase => ({ preserveRecent, placement, mode: 'stream' }))
      : cuts.map((preserveRecent): MatrixCase => ({ preserveRecent, placement, mode: 'generate' })),
  );
}

/**
 * Describes P12 for a provider package: whatever the cut and the placement, what was legal before is
 * legal after, and the kept messages are the given ones.
 */
export function describeMatrix(packageName: string): void {
  describe.each(providersOf(packageName))('legal before, legal after: $name', (provider) => {
    let server: WireServer;
    beforeAll(async () => {
      server = await startWireServer(provider.api);
    });
    afterAll(() => server.close());

    it.each(provider.conversations)('$name', async (conversation) => {
      const untouched = await sendUntouched(provider, server, conversation);
      const outcomes = await Promise.all(
        casesOf(provider, conversation).map(async ({ mode, ...options }) => {
          const caseId = [conversation.name, ...Object.values(options), mode].join('/');
          const middleware = shortSummaries(options);
          const sent = await send(provider, server, conversation, {
            caseId,
            middleware,
            mode,
            force: true,
          });
          const faults = [...legalFaults(sent, untouched, conversation), ...verbatimFaults(sent)];
          return {
            isSummarized: hasSummary(sent),
            faults: faults.map((fault) => `${caseId}: ${fault}`),
          };
        }),
      );
      expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
      const summarized =
        outcomes.filter(({ isSummarized }) => isSummarized).length / outcomes.length;
      const { least, most } = expectedShare(conversation);
      expect(summarized).toBeGreaterThanOrEqual(least);
      expect(summarized).toBeLessThanOrEqual(most);
    });
  });
}

/**
 * The share of the cases in which there must be a summary: only a tail that leaves nothing to cover may
 * be without. What the provider holds or compacts itself stays as it is.
 */
function expectedShare({ isServerManaged, mustKeep }: Conversation): {
  least: number;
  most: number;
} {
  if (isServerManaged === true) return { least: 0, most: 0 };
  return { least: mustKeep === undefined ? 0.7 : 0, most: 1 };
}
