import type { LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { generateObject, generateText, streamObject } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { chat, words } from '../support/messages.ts';
import { billedResult, chatModel, summarizerModel, textParts } from '../support/models.ts';
import * as sent from '../support/prompt-messages.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const messages = chat(19);

async function partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('the answer', () => {
  it('is streamed chunk for chunk, with metadata on its finish part', async () => {
    const { model } = setUp();
    const texts = Array.from({ length: 19 }, (_, index) => `Message ${index}: ${words(index, 40)}`);
    const prompt: LanguageModelV4Prompt = [
      { role: 'system', content: 'Be brief.' },
      ...texts.map((text) => ({
        role: 'user' as const,
        content: [{ type: 'text' as const, text }],
      })),
    ];
    const { stream } = await model.doStream({ prompt });
    const parts = await partsOf(stream);
    const expected = textParts('Understood.');
    expect(parts.slice(0, -1)).toEqual(expected.slice(0, -1));
    expect(parts.at(-1)).toEqual({
      ...expected.at(-1),
      providerMetadata: {
        summarization: {
          depth: 0,
          recordId: expect.stringMatching(/^[0-9a-f]{16}$/),
          degraded: false,
          coveredMessages: expect.any(Number),
          tokens: expect.any(Number),
          contextLength: 1000,
          summarizer: { calls: 1, inputTokens: 0, outputTokens: 0 },
        },
      },
    });
  });

  it('reports the input tokens the provider counted', async () => {
    const { model } = setUp({}, { inner: summarizerModel(billedResult('Hi.', 123)) });
    const { providerMetadata } = await generateText({ model, messages: chat(3) });
    expect(providerMetadata?.['summarization']).toEqual({
      coveredMessages: 0,
      tokens: 123,
      contextLength: 1000,
    });
  });
});

describe('the ways to call a wrapped model', () => {
  const schema = z.object({ ok: z.boolean() });
  it('include generateObject and streamObject', async () => {
    const { inner, model } = setUp({}, { inner: chatModel({ text: '{"ok":true}' }) });
    expect((await generateObject({ model, schema, messages })).object).toEqual({ ok: true });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    const streamed = streamObject({ model, schema, messages });
    for await (const _partial of streamed.partialObjectStream);
    expect(await streamed.object).toEqual({ ok: true });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
  });
});

describe('a provider that holds or compacts the history', () => {
  it.each([
    ['openai.responses', 'openai', { previousResponseId: 'resp_1' }],
    ['openai.responses', 'openai', { conversation: 'conv_1' }],
    [
      'openai.responses',
      'openai',
      { contextManagement: [{ type: 'compaction', compactThreshold: 1000 }] },
    ],
    ['openai.responses', 'openai', { compactionTrigger: true }],
    ['openai.responses', 'openai', { truncation: 'auto' }],
    ['azure.responses', 'azure', { previousResponseId: 'resp_1' }],
    ['xai.responses', 'xai', { previousResponseId: 'resp_1' }],
    ['google.generative-ai', 'google', { previousInteractionId: 'int_1' }],
    ['anthropic.messages', 'anthropic', { thread: { type: 'create' } }],
    [
      'anthropic.messages',
      'anthropic',
      { contextManagement: { edits: [{ type: 'compact_20260112' }] } },
    ],
    ['anthropic.messages', 'anthropic', { compaction: { type: 'auto' } }],
  ])('is left alone: %s, %s %j', async (provider, key, providerOptions) => {
    const { inner, summarizer, events, model } = setUp({}, { inner: chatModel({ provider }) });
    await generateText({ model, messages, providerOptions: { [key]: providerOptions } });
    expect(lastPrompt(inner)).toHaveLength(19);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    expect(events.at(-1)).toMatchObject({ type: 'skipped', reason: 'server-managed' });
  });

  it('is recognized by what it has written into the history', async () => {
    const { summarizer, model } = setUp();
    const said: LanguageModelV4Prompt = messages.map((_, index) =>
      sent.user(`Message ${index}: ${words(index, 40)}`),
    );
    const compaction = { type: 'custom', kind: 'openai.compaction' } as const;
    // AI SDK 6 writes no such part, and its own check of messages refuses it.
    await model.doGenerate({
      prompt: said.with(1, { role: 'assistant', content: [compaction] }),
    });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
  });

  it.each([
    ['openai.responses', 'openai', { previousResponseId: '', truncation: 'disabled' }],
    ['google.generative-ai', 'google', { previousInteractionId: 'int_1', store: false }],
    ['anthropic.messages', 'anthropic', { contextManagement: { edits: [] } }],
    // Options that the called provider does not read.
    ['anthropic.messages', 'openai', { previousResponseId: 'resp_1' }],
    ['openai.responses', 'anthropic', { compaction: { type: 'auto' } }],
    ['openai.chat', 'openai', { truncation: 'auto' }],
  ])('is not assumed for %s, %s %j', async (provider, key, providerOptions) => {
    const { summarizer, model } = setUp({}, { inner: chatModel({ provider }) });
    await generateText({ model, messages, providerOptions: { [key]: providerOptions } });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });
});
