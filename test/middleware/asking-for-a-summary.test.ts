import type {
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { generateText, type ModelMessage, simulateReadableStream, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { SummarizationOptions } from '../../src/index.ts';
import { chat, user, words } from '../support/messages.ts';
import {
  answer,
  apiError,
  billedResult,
  summarizerModel,
  textParts,
  textResult,
} from '../support/models.ts';
import { lastPrompt, summarySections } from '../support/prompts.ts';
import { called, eventsOf, force, recordOf, setUp } from '../support/set-up.ts';
import { throwing } from '../support/throwing.ts';

const sentences = Array.from({ length: 40 }, (_, index) => `They rowed past ${words(index, 3)}.`);
const narrative = sentences.join(' ');

/** A model that cannot but stream: its text comes some characters at a time. */
function streamingModel(
  text: string,
  end: readonly LanguageModelV4StreamPart[] = textParts('').slice(-1),
): MockLanguageModelV4 {
  const chunks = [...partsOf(text), ...end];
  return modelOf(async () => ({ stream: simulateReadableStream({ chunks }) }));
}

function modelOf(doStream: MockLanguageModelV4['doStream']): MockLanguageModelV4 {
  return new MockLanguageModelV4({ provider: 'openai.responses', modelId: 'summarizer', doStream });
}

/** A stream up to its end. */
function partsOf(text: string): readonly LanguageModelV4StreamPart[] {
  const deltas = text.match(/[^]{1,7}/g) ?? [];
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'answer-1', modelId: 'summarizer' },
    ...deltas.map((delta) => ({ type: 'text-delta' as const, id: '0', delta })),
  ];
}

describe('a summary that its model streams', () => {
  const fault = { type: 'error', error: new Error('The line is down.') } as const;

  it.each([
    ['breaks off in the middle', [], -9, undefined],
    ['breaks off behind its end', [], undefined, false],
    ['ends in an error', [fault, finishOf('stop')], undefined, undefined],
    ['ends because it is too long', [finishOf('length')], undefined, false],
    ['is filtered', [finishOf('content-filter')], undefined, true],
  ] as const)(
    'is read as far as it was paid for when its stream %s',
    async (_, end, cut, degraded) => {
      const summarizer = streamingModel(answer({ summary: narrative }).slice(0, cut), end);
      const run = setUp({}, { summarizer });
      const { text } = await generateText({ model: run.model, messages: chat(19) });
      expect(text).toBe('Understood.');
      // A line that is down is no reason to have rules write: the next call tries again.
      const ends = run.events.flatMap((event) => (event.type === 'end' ? [event.degraded] : []));
      expect(ends).toEqual(degraded === undefined ? [] : [degraded]);
    },
  );

  it('is done as soon as its stream says so, though that stays open', async () => {
    const parts = [...partsOf(answer({ summary: narrative })), finishOf('stop')];
    const cancelled = Promise.withResolvers<void>();
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => {
        for (const part of parts) controller.enqueue(part);
      },
      cancel: () => cancelled.resolve(),
    });
    const run = await called(chat(19), {}, { summarizer: modelOf(async () => ({ stream })) });
    await cancelled.promise;
    expect(run.events.find(({ type }) => type === 'end')).toMatchObject({ degraded: false });
  });

  it('is written all at once by a model that refuses to stream, and by no other that refuses', async () => {
    for (const [message, isWritten] of [
      ['Your organization must be verified to stream this model.', true],
      ['Unknown parameter: text.', false],
    ] as const) {
      const summarizer = modelOf(async () => {
        throw apiError(message);
      });
      summarizer.doGenerate = async () => textResult(answer({ summary: narrative }));
      const run = await called(chat(19), {}, { summarizer });
      const end = run.events.find(({ type }) => type === 'end');
      expect(end).toMatchObject({ degraded: !isWritten });
      // Without a word of what is wrong, all forms are tried.
      expect(summarizer.doStreamCalls).toHaveLength(isWritten ? 1 : 3);
    }
  });

  it('is put together from its parts, and billed as its stream says', async () => {
    const summarizer = streamingModel(answer({ summary: narrative }), [finishOf('stop', 700)]);
    const run = await called(chat(19), {}, { summarizer });
    // Its middle has no room; where things stand has.
    const shown = String(summarySections(lastPrompt(run.inner))['summary']).split(' … ');
    const [head = '', tail = ''] = [shown[0], shown.at(-1)];
    expect(head.length).toBeGreaterThan(20);
    expect(narrative.startsWith(head)).toBe(true);
    expect(tail.length).toBeGreaterThan(20);
    expect(narrative.endsWith(tail)).toBe(true);
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    const usage = { inputTokens: 700, outputTokens: 70 };
    expect(eventsOf(run, 'end')).toMatchObject([{ degraded: false, usage }]);
  });
});

function finishOf(unified: 'stop' | 'length' | 'content-filter', input = 0) {
  const { usage } = billedResult('', input, input / 10);
  return { type: 'finish' as const, finishReason: { unified, raw: unified }, usage };
}

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
function askedInPlace(
  inPlace: (options: LanguageModelV4CallOptions) => LanguageModelV4GenerateResult,
  options: SummarizationOptions = {},
) {
  const inner = summarizerModel((call) => {
    if (lastText(call).includes('Stop here:')) return inPlace(call);
    return call.responseFormat?.type === 'json' ? fromTranscript : 'Understood.';
  });
  const made = setUp(
    {
      contextLength: 3000,
      summarizerModelPreference: undefined,
      summarizerInput: 'conversation',
      fallbackStrategy: false,
      ...options,
    },
    { inner },
  );
  const asked = (): readonly LanguageModelV4CallOptions[] =>
    inner.doGenerateCalls.filter((call) => lastText(call).includes('Stop here:'));
  return { ...made, asked, written: () => recordOf(made).summary };
}

describe("summarizerInput: 'conversation'", () => {
  const toolCall = { type: 'tool-call', toolCallId: '1', toolName: 'look', input: '{}' } as const;

  it.each<[string, () => LanguageModelV4GenerateResult]>([
    ['a tool call', () => ({ ...textResult(''), content: [toolCall] })],
    ['the conversation, gone on with', () => textResult('Of course: the river is long.')],
    ['a list', () => textResult('[1, 2]')],
    ['nothing', () => textResult('')],
    ['a record that is cut off', () => textResult(record, { unified: 'length', raw: 'length' })],
    ['a failure', throwing],
  ])('sends the transcript where the answer is %s', async (_, given) => {
    const run = askedInPlace(given);
    await generateText({ model: run.model, messages: chat(17), providerOptions, tools });
    expect(run.asked()).toHaveLength(1);
    expect(run.written()).toBe('They spoke of rivers, by transcript.');
    expect(run.inner.doGenerateCalls).toHaveLength(2 + 1);
    expect(eventsOf(run, 'failed')).toEqual([]);
  });

  it.each([
    [300, 4000],
    [5000, 5000],
  ])('may write a record where answers may have %s tokens', async (maxOutputTokens, most) => {
    const texts = [record.slice(0, 9), record.slice(9)].map(
      (text) => ({ type: 'text', text }) as const,
    );
    const content = [{ type: 'reasoning', text: 'Well.' } as const, ...texts];
    const run = askedInPlace(() => ({ ...billedResult('', 500, 50), content }));
    const messages = chat(17);
    await generateText({ model: run.model, messages, providerOptions, tools, maxOutputTokens });
    const [asked] = run.asked();
    expect([asked?.maxOutputTokens, asked?.toolChoice]).toEqual([most, { type: 'none' }]);
    const [{ record: { summary }, usage } = expect.fail('no summary')] = eventsOf(run, 'end');
    expect([summary, usage]).toEqual([
      'They spoke of rivers, asked in place.',
      { inputTokens: 500, outputTokens: 50 },
    ]);
  });

  it.each<[string, SummarizationOptions, ('auto' | 'required')?]>([
    ['by default, without a cache', { summarizerInput: undefined }],
    ['where texts are redacted', { redact: (text: string) => text }],
    ['where a tool has to be called', {}, 'required'],
  ])('asks with the transcript %s', async (_, options, toolChoice = 'auto') => {
    const run = askedInPlace(() => textResult(record), options);
    // The model calls no tool, whatever was asked of it.
    const asked = { model: run.model, messages: chat(17), providerOptions, tools, toolChoice };
    await generateText(asked).catch(() => {});
    expect(run.asked()).toEqual([]);
    expect(run.written()).toBe('They spoke of rivers, by transcript.');
  });

  it('is not asked where the provider would run a tool for it that has just been approved', async () => {
    const run = askedInPlace(() => textResult(record));
    const approvalId = 'mcpr_1';
    const part = { toolCallId: 'mcp-call-1', toolName: 'mcp.publish', input: {} };
    const approved = { type: 'tool-approval-response', approvalId, approved: true } as const;
    const messages: ModelMessage[] = [
      ...chat(17),
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', ...part, providerExecuted: true },
          { type: 'tool-approval-request', approvalId, toolCallId: part.toolCallId },
        ],
      },
      { role: 'tool', content: [{ ...approved, providerExecuted: true }] },
    ];
    for (const after of [[], [user('And then go on.')]]) {
      await force(run, [...messages, ...after]);
      expect(run.asked()).toEqual([]);
      expect(run.written()).toBe('They spoke of rivers, by transcript.');
    }
  });
});
