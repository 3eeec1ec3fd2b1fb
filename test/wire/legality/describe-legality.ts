import type { ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { ContextOverflowError } from '../../../src/index.ts';
import { type WireServer, servedApi } from '../apis/wire-server.ts';
import { type Conversation, maySkip } from '../conversations/conversations.ts';
import { chatDialect } from '../conversations/dialects.ts';
import { answer, user } from '../conversations/messages.ts';
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
  readonly kind: 'cut' | 'kept' | 'small';
  readonly options: Options;
}

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

/**
 * Every cut of a conversation in every placement, and other ways in one each. `'auto'` stands for one of the other
 * placements, so it is tried at every third cut, as a stream.
 */
function waysOf({ placements }: WireProvider, { messages }: Conversation): Way[] {
  const count = messages.filter(({ role }) => role !== 'system').length;
  const cuts = Array.from({ length: count - 2 }, (_, index) => index + 2);
  const placed = (variants: readonly Options[]): Options[] =>
    variants.map((options, index) =>
      Object.assign({ placement: placements[index % placements.length] }, options),
    );
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
    ...placed(keeping).map((options): Way => ({ kind: 'kept', options, force: true })),
    ...placed(tooSmall).map((options): Way => ({ kind: 'small', options })),
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

/** The conversation some turns later, in objects of its own. */
function grown({ messages }: Conversation, turns: number): ModelMessage[] {
  const said = Array.from({ length: turns }, (_, index) => [
    answer(chatDialect, 90 + index),
    user(`turn ${index + 1} after the end`),
  ]).flat();
  const isAnswered = messages.at(-1)?.role === 'assistant';
  return structuredClone([...messages, ...(isAnswered ? said.slice(1) : said)]);
}

/** What is wrong with the two requests after a summary: the first extends the prompt before, the second has a summary of its own. */
async function laterFaults(
  provider: WireProvider,
  server: WireServer,
  conversation: Conversation,
  placement: 'auto' | 'user',
): Promise<string[]> {
  const middleware = shortSummaries({ preserveRecent: 4, placement });
  const next = grown(conversation, 1);
  const untouched = await sendUntouched(provider, server, conversation, next);
  const step = (name: string, messages: readonly ModelMessage[], force: boolean) => {
    const caseId = `${conversation.name}/${placement}/${name}`;
    return send(provider, server, conversation, { caseId, middleware, messages, force });
  };
  const first = await step('first', conversation.messages, true);
  const second = await step('second', next, false);
  const third = await step('third', grown(conversation, 4), true);
  const prefix = JSON.stringify(first.sent).slice(0, -1);
  return [
    ...(hasSummary(first) && hasSummary(second) ? [] : ['the summary did not come back']),
    ...(JSON.stringify(second.sent).startsWith(prefix)
      ? []
      : ['no extension of the prompt before']),
    ...(hasSummary(third, 1) ? [] : ['no second generation']),
    ...[second, third].flatMap((sent) => [
      ...legalFaults(sent, untouched, conversation),
      ...verbatimFaults(sent),
    ]),
  ].map((fault) => `${placement}: ${fault}`);
}

/**
 * Describes P12 for a provider package: each conversation is legal as it stands, and stays so however its prompt is
 * made smaller, in the requests that follow too; the kept messages are the given ones.
 */
export function describeLegality(packageName: string): void {
  describe.each(providersOf(packageName))('legal before, legal after: $name', (provider) => {
    const server = servedApi(provider.api);
    let attempted = 0;
    let overflowed = 0;

    it.each(provider.conversations)('$name', async (conversation) => {
      const { name, messages, mustKeep = '' } = conversation;
      const untouched = await sendUntouched(provider, server, conversation);
      const streamed = await sendUntouched(provider, server, conversation, messages, 'stream');
      for (const { body } of [untouched, streamed])
        expect(JSON.stringify(body)).toContain(mustKeep);

      const outcomes = await Promise.all(
        waysOf(provider, conversation).map(async ({ kind, options, ...how }, index) => {
          const caseId = `${name}/${index} ${kind} ${JSON.stringify(options)}`;
          const middleware = shortSummaries(options);
          const sent = await send(provider, server, conversation, { caseId, middleware, ...how });
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
          return { kind, isSummarized, faults: faults.map((fault) => `${caseId}: ${fault}`) };
        }),
      );
      expect(outcomes.flatMap(({ faults }) => faults)).toEqual([]);
      const cuts = outcomes.filter(({ kind }) => kind === 'cut');
      const summarized = cuts.filter(({ isSummarized }) => isSummarized).length / cuts.length;
      const [least, most] = sharesOf(conversation);
      expect(summarized).toBeGreaterThanOrEqual(least);
      expect(summarized).toBeLessThanOrEqual(most);

      if (conversation.isOpen === true || maySkip(conversation)) return;
      for (const placement of ['auto', 'user'] as const)
        expect(await laterFaults(provider, server, conversation, placement)).toEqual([]);
    });

    it('makes most of the prompts fit', () => {
      expect(overflowed / attempted).toBeLessThan(0.5);
    });
  });
}
