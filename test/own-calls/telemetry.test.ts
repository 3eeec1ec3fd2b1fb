import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { generateText, registerTelemetry } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type SummarizationOptions, summarizeConversation } from '../../src/index.ts';
import { summarize } from '../../src/entries/text/index.ts';
import { chat, user, words } from '../support/messages.ts';
import { answer, billedResult, summarizerModel } from '../support/models.ts';
import { setUp } from '../support/set-up.ts';

const exporter = new InMemorySpanExporter();
const published: string[] = [];

const tracer = new BasicTracerProvider({
  spanProcessors: [new SimpleSpanProcessor(exporter)],
}).getTracer('test');

/** Lets all that listens to the SDK's telemetry listen, and keeps in memory what it hears. */
function recordTelemetry(): void {
  registerTelemetry(new OpenTelemetry({ tracer, headers: true, schema: true, usage: true }));
  registerTelemetry(new LegacyOpenTelemetry({ tracer }));
  const publish = (message: object): void => {
    published.push(inspect(message, { depth: 12, maxStringLength: null, maxArrayLength: null }));
  };
  tracingChannel('ai:telemetry').subscribe({
    start: publish,
    end: publish,
    asyncStart: publish,
    asyncEnd: publish,
    error: publish,
  });
}

/** All that was heard since the last time: a text for each span and each message of the channel. */
function takeTelemetry(): { readonly spans: string[]; readonly messages: string[] } {
  const spans = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) =>
      JSON.stringify({ name, attributes, events, status }),
    );
  exporter.reset();
  return { spans, messages: published.splice(0) };
}

/** What the conversation says, and what the summarizer does. */
const asked = 'marzipan-4711';
const written = 'quetzal-0815';

const history = [user(`The code is ${asked}.`), ...chat(40).slice(1), user(`Is it ${asked}?`)];
const summary = answer({ summary: `They spoke of ${written}.` });

/** A model that writes summaries, and of messages something else. */
const condensing = (): MockLanguageModelV4 =>
  summarizerModel(({ responseFormat }) => (responseFormat?.type === 'json' ? summary : written));

/** A model that fails with an error that quotes what it was asked. */
const quoting = (): MockLanguageModelV4 =>
  summarizerModel(({ prompt }) => Promise.reject(new Error(`Refused: ${JSON.stringify(prompt)}`)));

/** Makes a call whose own telemetry is off, so that all that is heard is of the summarizer. */
async function converse(
  options: SummarizationOptions,
  summarizer: MockLanguageModelV4,
): Promise<MockLanguageModelV4> {
  const { model } = setUp(options, { summarizer });
  await generateText({ model, messages: history, telemetry: { isEnabled: false } });
  return summarizer;
}

beforeAll(recordTelemetry);
beforeEach(() => void takeTelemetry());

describe('calls of the summarizing model', () => {
  it.each<[string, SummarizationOptions, MockLanguageModelV4, number?]>([
    ['for a summary', {}, summarizerModel(summary)],
    [
      'for condensed messages',
      { messageFilter: { userMessages: 'summary' }, prompts: { maxSummaryChars: 50 } },
      condensing(),
      8,
    ],
    ['for pieces', { maxTranscriptTokens: 700 }, condensing(), 3],
    ['that fail with an error that quotes the prompt', {}, quoting()],
    ['with an answer of the wrong form', {}, summarizerModel(`Sorry, ${written}.`)],
  ])('%s show figures and no text', async (_name, options, summarizer, leastCalls = 1) => {
    await converse(options, summarizer);
    expect(summarizer.doGenerateCalls.length).toBeGreaterThanOrEqual(leastCalls);
    const { spans, messages } = takeTelemetry();
    expect(JSON.stringify(summarizer.doGenerateCalls)).toContain(asked);
    expect(spans.join('')).toContain('"gen_ai.agent.name":"ai-sdk-summarization"');
    expect(spans.join('')).toContain('"ai.telemetry.functionId":"ai-sdk-summarization"');
    expect([...spans, ...messages].filter((text) => text.includes(asked))).toEqual([]);
    expect([...spans, ...messages].filter((text) => text.includes(written))).toEqual([]);
  });

  it('show texts when they are asked for', async () => {
    await converse({ telemetry: { recordInputs: true } }, summarizerModel(summary));
    const inputs = takeTelemetry().spans.join('');
    expect(inputs).toContain(asked);
    expect(inputs).not.toContain(written);
    await converse({ telemetry: { recordOutputs: true } }, summarizerModel(summary));
    const outputs = takeTelemetry().spans.join('');
    expect(outputs).not.toContain(asked);
    expect(outputs).toContain(written);
  });

  it('have their tokens on one span, whatever is registered, where a tracer is given', async () => {
    const billed = summarizerModel(() => billedResult(summary, 4711, 815));
    await converse({ telemetry: { tracer } }, billed);
    const { spans, messages } = takeTelemetry();
    expect(spans.filter((text) => /"gen_ai\.usage\.input_tokens":4711\b/.test(text))).toHaveLength(
      1,
    );
    expect(
      spans
        .filter((text) => /\.usage\.|ai\.usage|815/.test(text))
        .map((text) => JSON.parse(text).name),
    ).toEqual(['chat summarizer', 'summarize_conversation']);
    expect(messages).toEqual([]);
  });

  it.each<[string, SummarizationOptions, number]>([
    ['of a record', {}, 1],
    [
      'of messages too',
      { messageFilter: { userMessages: 'summary' }, prompts: { maxSummaryChars: 50 } },
      8,
    ],
  ])('have their tokens on one span of each integration without one: %s', async (_, options, n) => {
    let tokens = 4710;
    const billed = summarizerModel(({ responseFormat }) => {
      tokens += 1;
      return billedResult(responseFormat?.type === 'json' ? summary : written, tokens, 815);
    });
    await converse(options, billed);
    const calls = billed.doGenerateCalls.length;
    expect(calls).toBeGreaterThanOrEqual(n);
    const { spans } = takeTelemetry();
    const ofTokens = spans.filter((text) => /[^\d]47\d\d[^\d]|:815\b/.test(text));
    // Two integrations are registered.
    expect(ofTokens).toHaveLength(2 * calls);
    for (let count = 4711; count < 4711 + calls; count += 1)
      expect(ofTokens.filter((text) => text.includes(`:${count}`))).toHaveLength(2);
    expect(spans.length).toBeGreaterThan(ofTokens.length);
  });

  it('tell an integration their tokens that hears of the end alone, be it frozen', async () => {
    const heard: unknown[] = [];
    registerTelemetry(
      Object.freeze({ onEnd: (event: object) => void heard.push(Object(event).usage) }),
    );
    await converse(
      {},
      summarizerModel(() => billedResult(summary, 4711, 815)),
    );
    expect(heard).toMatchObject([{ inputTokens: 4711, outputTokens: 815 }]);
    globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.pop();
  });

  it('do not show up when they are not to', async () => {
    const summarizer = await converse(
      { telemetry: { isEnabled: false } },
      summarizerModel(summary),
    );
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(takeTelemetry()).toEqual({ spans: [], messages: [] });
  });

  it('keep to the telemetry option of summarizeConversation and summarize', async () => {
    const telemetry = { recordInputs: true };
    const text = `${asked}. ${words(1, 300)}`;
    const model = summarizerModel(summary);
    await summarizeConversation({ messages: history, model });
    await summarize(text, { model });
    const figures = takeTelemetry();
    expect(figures.spans.length).toBeGreaterThan(1);
    expect([...figures.spans, ...figures.messages].join('')).not.toContain(asked);
    await summarizeConversation({ messages: history, model, config: { telemetry } });
    expect(takeTelemetry().spans.join('')).toContain(asked);
    await summarize(`${text} Again.`, { model, telemetry });
    expect(takeTelemetry().spans.join('')).toContain(asked);
  });
});
