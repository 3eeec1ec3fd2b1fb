import { wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  countPromptTokens,
  summarizationMiddleware,
  type Message,
  type SummarizationEvent,
} from '../../../src/index.ts';
import { canonicalMessage, isSignificant } from '../../../src/identity/conversation-identity.ts';
import { chatModel, summarizerModel } from '../../support/models.ts';
import { untyped } from '../../support/untyped.ts';

const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };

function inOutput(output: unknown): Message {
  const part = { type: 'tool-result', toolCallId: 'a', toolName: 'scan', output };
  return untyped({ role: 'tool', content: [part] });
}

/** Messages with something of a type that only a newer SDK knows, by where it stands. */
const places: readonly (readonly [string, (more: object) => Message])[] = [
  [
    'part of a question',
    (more) => untyped({ role: 'user', content: [{ type: 'hologram', ...more }] }),
  ],
  [
    'part of an answer',
    (more) => untyped({ role: 'assistant', content: [{ type: 'hologram', ...more }] }),
  ],
  [
    'part of an output',
    (more) => inOutput({ type: 'content', value: [{ type: 'hologram', ...more }] }),
  ],
];

describe.each(places)('a %s that no SDK of today has', (_place, messageWith) => {
  const first = messageWith({ text: 'a ship', depth: 1 });

  it('is counted as far as it is text', async () => {
    const count = async (message: Message): Promise<number> =>
      (await countPromptTokens({ messages: [message] })).total;
    const more = await count(messageWith({ text: 'a ship '.repeat(100), data: 'AQID'.repeat(99) }));
    expect(more - (await count(messageWith({})))).toBeGreaterThanOrEqual(200);
    expect(more - (await count(messageWith({})))).toBeLessThan(210);
  });

  it.each([
    ['another text', { text: 'a tree', depth: 1 }, false],
    ['another field', { text: 'a ship', depth: 2 }, false],
    ['other options of a provider', { text: 'a ship', depth: 1, providerOptions: cached }, true],
  ])('identifies its message: %s', (_name, fields, isSame) => {
    const other = messageWith(fields);
    expect(isSignificant(other)).toBe(true);
    const text = (message: Message): string => canonicalMessage(message).line;
    expect(text(first) === text(other)).toBe(isSame);
  });

  it.each(['llm', 'rule-based'] as const)('is no obstacle to a summary: %s', async (strategy) => {
    const events: SummarizationEvent[] = [];
    const summarizer = summarizerModel();
    const inner = chatModel();
    const model = wrapLanguageModel({
      model: inner,
      middleware: summarizationMiddleware({
        contextLength: 4000,
        strategy,
        summarizerModelPreference: [summarizer],
        onEvent: (event) => events.push(event),
      }),
    });
    const talk = Array.from({ length: 60 }, (_, index): Message => {
      const content = [{ type: 'text' as const, text: `Message ${index}: ${'word '.repeat(60)}` }];
      return index % 2 === 0 ? { role: 'user', content } : { role: 'assistant', content };
    });
    const call = { type: 'tool-call', toolCallId: 'a', toolName: 'scan', input: {} };
    const asked =
      first.role === 'tool' ? [untyped<Message>({ role: 'assistant', content: [call] })] : [];
    await model.doGenerate({ prompt: [...talk.slice(0, 2), ...asked, first, ...talk.slice(2)] });
    expect(inner.doGenerateCalls[0]?.prompt.length).toBeLessThan(talk.length);
    expect(events.map(({ type }) => type)).not.toContain('failed');
    const read = JSON.stringify(summarizer.doGenerateCalls.map(({ prompt }) => prompt));
    expect(read.includes('[part of an unknown type: hologram]')).toBe(strategy === 'llm');
  });
});

it('counts, hashes and names an output of a type that no SDK of today has', async () => {
  const short = inOutput({ type: 'hologram', value: 'a ship' });
  const long = inOutput({ type: 'hologram', value: 'a ship '.repeat(100) });
  const [few, many] = await Promise.all(
    [short, long].map((message) => countPromptTokens({ messages: [message] })),
  );
  expect((many?.total ?? 0) - (few?.total ?? 0)).toBeGreaterThan(190);
  expect(canonicalMessage(short).line).not.toBe(canonicalMessage(long).line);
});
