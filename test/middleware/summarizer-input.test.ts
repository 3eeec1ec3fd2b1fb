import type { LanguageModelV4CallOptions, LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { generateText, tool, wrapLanguageModel, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { chat, user } from '../support/messages.ts';
import { answer, textResult } from '../support/models.ts';

const record = answer({ summary: 'They spoke of rivers, asked in place.' });
const fromTranscript = answer({ summary: 'They spoke of rivers, by transcript.' });
const tools = {
  look: tool({
    description: 'Looks.',
    inputSchema: z.object({ path: z.string() }),
    execute: () => 'Seen.',
  }),
};

function lastText({ prompt }: LanguageModelV4CallOptions): string {
  return JSON.stringify(prompt.at(-1)?.content ?? '');
}

const providerOptions = { summarization: { force: true } };

/** A model that answers as given when it is asked for a record in its conversation. */
function setUp(
  inPlace: (options: LanguageModelV4CallOptions) => LanguageModelV4GenerateResult,
  options: SummarizationOptions = {},
) {
  const events: SummarizationEvent[] = [];
  const inner = new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'gpt-test',
    doGenerate: async (call) => {
      if (lastText(call).includes('Stop here:')) return inPlace(call);
      return textResult(call.responseFormat?.type === 'json' ? fromTranscript : 'Understood.');
    },
  });
  const middleware = summarizationMiddleware({
    contextLength: 3000,
    summarizerInput: 'conversation',
    fallbackStrategy: false,
    onEvent: (event) => events.push(event),
    ...options,
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  const asked = (): readonly LanguageModelV4CallOptions[] =>
    inner.doGenerateCalls.filter((call) => lastText(call).includes('Stop here:'));
  const written = (): string | undefined => {
    const end = events.find((event) => event.type === 'end');
    return end?.type === 'end' ? end.record.summary : undefined;
  };
  return { inner, middleware, model, asked, written };
}

describe("summarizerInput: 'conversation'", () => {
  it('asks at the end of the prompt that would be sent, with its tools and settings', async () => {
    const run = setUp(() => textResult(record));
    await generateText({
      model: run.model,
      messages: chat(17),
      providerOptions,
      tools,
      toolChoice: 'auto',
    });
    const [call] = run.asked();
    const whole = chat(17).map(({ content }) => content);
    const sent = call?.prompt.slice(0, -1).map(({ content }) => JSON.stringify(content));
    expect(sent).toHaveLength(whole.length);
    for (const [index, content] of whole.entries()) expect(sent?.[index]).toContain(content);
    expect(call?.tools).toMatchObject([{ name: 'look' }]);
    expect(call?.toolChoice).toEqual({ type: 'none' });
    expect(call?.responseFormat?.type).not.toBe('json');
    expect(run.written()).toBe('They spoke of rivers, asked in place.');
    expect(run.middleware.stats().attempts).toEqual({ made: 1, failed: 0, aborted: 0 });
  });

  it.each<{ name: string; given: LanguageModelV4GenerateResult }>([
    {
      name: 'a tool call',
      given: {
        ...textResult(''),
        content: [{ type: 'tool-call', toolCallId: '1', toolName: 'look', input: '{}' }],
      },
    },
    { name: 'the conversation, gone on with', given: textResult('Of course: the river is long.') },
    { name: 'a list', given: textResult('[1, 2]') },
    { name: 'nothing', given: textResult('') },
    {
      name: 'a record that is cut off',
      given: textResult(record, { unified: 'length', raw: 'length' }),
    },
  ])('sends the transcript where the answer is $name', async ({ given }) => {
    const run = setUp(() => given);
    await generateText({ model: run.model, messages: chat(17), providerOptions, tools });
    expect(run.asked()).toHaveLength(1);
    expect(run.written()).toBe('They spoke of rivers, by transcript.');
    expect(run.middleware.stats().attempts).toEqual({ made: 2, failed: 1, aborted: 0 });
  });

  it('sends the transcript where the call fails', async () => {
    const run = setUp(() => {
      throw new Error('down');
    });
    await generateText({ model: run.model, messages: chat(17), providerOptions });
    expect(run.written()).toBe('They spoke of rivers, by transcript.');
  });

  it.each<{ name: string; options: SummarizationOptions; toolChoice?: 'required' }>([
    { name: 'by default, without a cache', options: { summarizerInput: undefined } },
    { name: 'where texts are redacted', options: { redact: (text: string) => text } },
    { name: 'where a tool has to be called', options: {}, toolChoice: 'required' },
  ])('asks with the transcript $name', async ({ options, toolChoice }) => {
    const run = setUp(() => textResult(record), options);
    // The model calls no tool, whatever was asked of it.
    await generateText({
      model: run.model,
      messages: chat(17),
      providerOptions,
      tools,
      toolChoice: toolChoice ?? 'auto',
    }).catch(() => {});
    expect(run.asked()).toEqual([]);
    expect(run.written()).toBe('They spoke of rivers, by transcript.');
  });

  it('is not asked where the provider would run a tool for it that has just been approved', async () => {
    const run = setUp(() => textResult(record));
    const approvalId = 'mcpr_1';
    const called = { toolCallId: 'mcp-call-1', toolName: 'mcp.publish', input: {} };
    const messages: ModelMessage[] = [
      ...chat(17),
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', ...called, providerExecuted: true },
          { type: 'tool-approval-request', approvalId, toolCallId: called.toolCallId },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId, approved: true, providerExecuted: true },
        ],
      },
    ];
    for (const after of [[], [user('And then go on.')]]) {
      await generateText({ model: run.model, messages: [...messages, ...after], providerOptions });
      expect(run.asked()).toEqual([]);
      expect(run.written()).toBe('They spoke of rivers, by transcript.');
    }
  });
});
