import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/index.ts';
import { talk } from '../support/summarized-chat.ts';
import { billedResult, chatModel } from '../support/models.ts';
import { assistant } from '../support/prompt-messages.ts';
import type { CallOptions } from '../support/prompt-types.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { eventsOf, setUp } from '../support/set-up.ts';

// That the package stands aside by default is held by answers.test.ts, and that what a provider left stays legal by
// test/wire/legality.

const edits = [{ type: 'compact_20260112', trigger: { type: 'input_tokens', value: 80_000 } }];
const compacted = { anthropic: { type: 'compaction' } };

type Options = NonNullable<CallOptions['providerOptions']>;

/** Providers that compact: how a call asks for it, and what that leaves in the history. */
const providers: readonly (readonly [string, Options, Message])[] = [
  [
    'openai.responses',
    { openai: { contextManagement: [{ type: 'compaction', compactThreshold: 80_000 }] } },
    assistant('', { type: 'custom', kind: 'openai.compaction' }),
  ],
  [
    'anthropic.messages',
    { anthropic: { contextManagement: { edits } } },
    assistant('', { type: 'text', text: 'Earlier.', providerOptions: compacted }),
  ],
];

describe.each(providers)("providerCompaction: 'ignore' with %s", (provider, asked, left) => {
  const messages = talk(19);
  const made = () => setUp({ providerCompaction: 'ignore' }, { inner: chatModel({ provider }) });

  it.each([
    ['is asked for in the call, whose setting is sent', asked, messages],
    ['stands in the history', {}, messages.with(5, left)],
  ])('summarizes although a compaction %s', async (_how, providerOptions, prompt) => {
    const { inner, model } = made();
    await model.doGenerate({ prompt, providerOptions });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    expect(lastPrompt(inner)).not.toContain(left);
    expect(inner.doGenerateCalls[0]?.providerOptions).toEqual(providerOptions);
  });

  it('learns no sizes from what the provider held', async () => {
    const inner = chatModel({ provider });
    inner.doGenerate = async () => billedResult('Understood.', 9500);
    const { model, summarizer } = setUp({ contextLength: 10_000 }, { inner });
    await model.doGenerate({ prompt: messages, providerOptions: asked });
    await model.doGenerate({ prompt: messages });
    expect(summarizer.doGenerateCalls).toEqual([]);
  });

  it('stands aside where a compaction is all there is of what came before', async () => {
    const setup = made();
    const prompt = [left, ...messages];
    await setup.model.doGenerate({ prompt });
    expect(lastPrompt(setup.inner)).toEqual(prompt);
    expect(eventsOf(setup, 'check')).toMatchObject([{ reason: 'server-managed' }]);
  });
});

describe.each(providers)(
  'a compaction or option for %s, with a model of another provider',
  (_of, asked, left) => {
    const others = [
      ['openai.chat', 'gpt-4o'],
      ['google.generative-ai', 'gemini-3-pro'],
      ['groq.chat', 'llama-3.3-70b'],
      ['amazon-bedrock', 'us.anthropic.claude-sonnet-4-5-v1:0'],
    ] as const;

    it.each(others)('is covered like any message: %s', async (provider, modelId) => {
      const inner = chatModel({ provider, modelId });
      const setup = setUp({}, { inner });
      const prompt = talk(19).with(5, left);
      await setup.model.doGenerate({ prompt, providerOptions: asked });
      await setup.model.doGenerate({ prompt, providerOptions: asked });
      expect(summaryOf(lastPrompt(inner))).toBeDefined();
      expect(lastPrompt(inner)).not.toContain(left);
      expect(eventsOf(setup, 'foreign-compaction')).toHaveLength(1);
    });
  },
);
