import { describe, expect, it } from 'vitest';
import { ContextOverflowError } from '../../../src/index.ts';
import { type Conversation, maySkip } from '../conversations/conversations.ts';
import { type WireProvider, providersOf } from '../providers.ts';
import {
  hasSummary,
  legalFaults,
  send,
  type SendOptions,
  sendUntouched,
  shortSummaries,
  verbatimFaults,
} from '../send.ts';

type Options = Parameters<typeof shortSummaries>[0];

/** A way in which a prompt becomes smaller. */
interface Way extends Pick<SendOptions, 'mode' | 'force'> {
  readonly kind: 'cut' | 'small';
  readonly options: Options;
}

/** Contexts that hold only a part of the conversations, so that messages are shortened as well. */
const tooSmall: readonly Options[] = [900, 1400, 2200].map((contextLength) => ({
  preserveRecent: 4,
  contextLength,
}));

/**
 * Every cut of a conversation in every placement, and other ways in one each. `'auto'` stands for one of the other
 * placements, so it is tried at every third cut, as a stream.
 */
function waysOf({ placements }: WireProvider, { messages }: Conversation): Way[] {
  const count = messages.filter(({ role }) => role !== 'system').length;
  const cuts = Array.from({ length: count - 2 }, (_, index) => index + 2);
  return [
    ...placements.flatMap((placement) =>
      cuts
        .filter((_, index) => placement !== 'auto' || index % 3 === 0)
        .map((preserveRecent): Way => ({
          kind: 'cut',
          options: { preserveRecent, placement },
          mode: placement === 'auto' ? 'stream' : 'generate',
          force: true,
        })),
    ),
    ...tooSmall.map((options, index): Way => ({
      kind: 'small',
      options: { placement: placements[index % placements.length], ...options },
    })),
  ];
}

/**
 * The shares of its cuts at which a conversation has to have a summary: only a tail that leaves nothing to cover may be
 * without. What the provider holds or compacts itself stays as it is.
 */
function sharesOf({
  isServerManaged,
  mustKeep,
}: Conversation): readonly [least: number, most: number] {
  if (isServerManaged === true) return [0, 0];
  return [mustKeep === undefined ? 0.7 : 0, 1];
}

/**
 * Describes P12 for a provider package: each conversation is legal as it stands, and stays so however its prompt is
 * made smaller; the kept messages are the given ones. Requests that follow are those of `random.test.ts`.
 */
export function describeLegality(packageName: string): void {
  describe.each(providersOf(packageName))('legal before, legal after: $name', (provider) => {
    let attempted = 0;
    let overflowed = 0;

    it.each(provider.conversations)('$name', async (conversation) => {
      const { messages, mustKeep = '' } = conversation;
      const untouched = await sendUntouched(provider, conversation);
      const streamed = await sendUntouched(provider, conversation, messages, 'stream');
      for (const { body } of [untouched, streamed])
        expect(JSON.stringify(body)).toContain(mustKeep);

      const outcomes = await Promise.all(
        waysOf(provider, conversation).map(async ({ kind, options, ...how }) => {
          const middleware = shortSummaries(options);
          const sent = await send(provider, conversation, { middleware, ...how });
          const isSummarized = hasSummary(sent);
          if (kind === 'small') attempted += 1;
          if (kind === 'small' && ContextOverflowError.isInstance(sent.error)) {
            overflowed += 1;
            return { kind, isSummarized, faults: [] };
          }
          const isSmaller = JSON.stringify(sent.sent).length < JSON.stringify(sent.given).length;
          const faults = [
            ...legalFaults(sent, untouched, conversation),
            ...(kind === 'cut' ? verbatimFaults(sent) : []),
            ...(kind !== 'small' || isSmaller || isSummarized || maySkip(conversation)
              ? []
              : ['nothing was made smaller']),
          ];
          const way = `${kind} ${JSON.stringify(options)}`;
          return { kind, isSummarized, faults: faults.map((fault) => `${way}: ${fault}`) };
        }),
      );
      expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
      const cuts = outcomes.filter(({ kind }) => kind === 'cut');
      const summarized = cuts.filter(({ isSummarized }) => isSummarized).length / cuts.length;
      const [least, most] = sharesOf(conversation);
      expect(summarized).toBeGreaterThanOrEqual(least);
      expect(summarized).toBeLessThanOrEqual(most);
    });

    it('makes most of the prompts fit', () => {
      expect(overflowed / attempted).toBeLessThan(0.5);
    });
  });
}
