import type { ModelMessage } from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ContextOverflowError } from '../../src/index.ts';
import {
  anthropicStateful,
  openaiStateful,
  type RandomConversation,
  randomConversation,
  toolsWithOneDeferred,
} from './conversations/random.ts';
import { providerOf, type WireProvider, wireProviders } from './providers.ts';
import {
  legalFaults,
  send,
  type Sent,
  sendUntouched,
  shortSummaries,
  verbatimFaults,
} from './send.ts';

const runs = 300;

/** Which of the ends of a conversation is sent next, and how. */
const requests = fc.array(
  fc.record({
    end: fc.nat(),
    force: fc.boolean(),
    pin: fc.array(fc.nat({ max: 20 }), { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);

/** Options with contexts that are large, or hold a part. */
const optionsOf = ({ placements }: WireProvider) =>
  fc.record({
    preserveRecent: fc.integer({ min: 2, max: 9 }),
    placement: fc.constantFrom(...placements),
    strategy: fc.constantFrom(undefined, undefined, 'none' as const),
    contextLength: fc.oneof(fc.constant(200_000), fc.integer({ min: 900, max: 4000 })),
    preserveRecentTokenRatio: fc.constantFrom(0, 0.1, 0.4),
    preserveUserTurns: fc.boolean(),
    condenseToolResults: fc.boolean(),
    maxToolOutputTokens: fc.constantFrom(undefined, 100),
  });

/** The record that stands in a prompt; empty for none. */
function recordIn({ sent }: Sent): string {
  return /\[summary-depth:\d+\] [\w-]+/.exec(JSON.stringify(sent))?.[0] ?? '';
}

/**
 * Checks P12 and P62 for random conversations of a provider: what was legal before is legal after, request after
 * request, what covered messages set is in force after them, and between two summaries a prompt is only extended.
 * Gives back what of the kinds of messages that matter was hardly ever summarized.
 */
async function rareKinds(
  provider: WireProvider,
  conversations: fc.Arbitrary<RandomConversation>,
  kinds: readonly RegExp[],
  tools?: typeof toolsWithOneDeferred,
): Promise<unknown[]> {
  const seen = new Map(kinds.map((kind) => [kind, 0]));
  const count = (given: readonly ModelMessage[]): void => {
    for (const [kind, times] of seen)
      if (kind.test(JSON.stringify(given))) seen.set(kind, times + 1);
  };
  await fc.assert(
    fc.asyncProperty(
      conversations,
      optionsOf(provider),
      requests,
      async ({ messages, ends }, { strategy, ...others }, given) => {
        const wanted = strategy === undefined ? others : { ...others, strategy };
        const middleware = shortSummaries(wanted);
        const conversation = { name: 'random', messages, tools };
        const sequence = given
          .map(({ end, ...rest }) => ({ ...rest, length: ends[end % ends.length] ?? 0 }))
          .toSorted((one, other) => one.length - other.length);
        let previous: Sent | undefined;
        for (const { length, ...how } of sequence) {
          const now = messages.slice(0, length);
          const untouched = await sendUntouched(provider, conversation, now);
          const call = { ...how, messages: now, middleware };
          const sent = await send(provider, conversation, call);
          if (ContextOverflowError.isInstance(sent.error)) return;
          expect(legalFaults(sent, untouched, conversation)).toEqual([]);
          const record = recordIn(sent);
          if (record !== '') count(now.slice(0, -wanted.preserveRecent));
          const isSame = previous !== undefined && record !== '' && recordIn(previous) === record;
          const isWhole = wanted.contextLength === 200_000 && how.pin.length === 0;
          const isShortened = wanted.maxToolOutputTokens !== undefined;
          const isChanged = wanted.condenseToolResults || wanted.preserveUserTurns || isShortened;
          expect(isWhole && !isChanged ? verbatimFaults(sent) : []).toEqual([]);
          const before = isSame && isWhole ? JSON.stringify(previous?.sent).slice(0, -1) : '';
          expect(JSON.stringify(sent.sent).startsWith(before)).toBe(true);
          // Other pins make another prompt of the same record.
          previous = how.pin.length === 0 ? sent : undefined;
        }
      },
    ),
    { numRuns: runs },
  );
  return [...seen].filter(([, times]) => times < runs / 20);
}

describe.each(wireProviders)('random conversations: $name', (provider) => {
  it('stay legal, request after request (P12)', async () => {
    const { dialect, lacks } = provider;
    const kinds = [/"tool-call".*"tool-call"/, /"tool-result"/, /"text":"Step \d+: looking/];
    if (dialect.reasoningOptions !== undefined) kinds.push(/"reasoning"/);
    if (dialect.serverTool !== undefined) kinds.push(/"providerExecuted":true/);
    if (!lacks.includes('late-system')) kinds.push(/"role":"system","content":"From turn/);
    if (!lacks.includes('user-run')) kinds.push(/Look at topic \d+ 2\./);
    const conversations = randomConversation(dialect, lacks);
    expect(await rareKinds(provider, conversations, kinds)).toEqual([]);
  });
});

const stateful = [
  {
    provider: providerOf('openai.responses'),
    conversations: openaiStateful,
    kinds: [
      /"reasoningEffortUpdate"/,
      /"textFormatUpdate"/,
      /"role":"system","content":"","providerOptions":\{"openai":\{[^{]*"additionalTools"/,
      /"tool-result".*"additionalTools"/,
      /"type":"namespace"/,
      /holds from now on/,
    ],
  },
  {
    provider: providerOf('anthropic with system messages in mid conversation'),
    conversations: anthropicStateful,
    kinds: [
      /"effort"/,
      /"tool_addition","toolName"/,
      /"tool_addition","tool":/,
      /"tool_removal"/,
      /Described anew/,
      /"clearAt"/,
      /holds from now on/,
    ],
  },
];

describe.each(stateful)('controls: $provider.name', ({ provider, conversations, kinds }) => {
  it('what covered messages set is in force after them (P62)', async () => {
    const rare = await rareKinds(provider, conversations, kinds, toolsWithOneDeferred);
    expect(rare).toEqual([]);
  });
});
