import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  type Context,
  type ContextManager,
  type Meter,
  ROOT_CONTEXT,
  SpanStatusCode,
  type Tracer,
} from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { chat, user } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { called, setUp } from '../support/set-up.ts';
import { turns } from '../support/until.ts';

const active = new AsyncLocalStorage<Context>();

const contextManager: ContextManager = {
  active: () => active.getStore() ?? ROOT_CONTEXT,
  with: (current, run, self, ...given) => active.run(current, () => run.apply(self, given)),
  bind: (_context, target) => target,
  enable: () => contextManager,
  disable: () => contextManager,
};

/** A tracer whose finished spans are kept; the active span is that of the asynchronous context. */
function recordingTracer(): { tracer: Tracer; spans: () => ReadableSpan[] } {
  context.setGlobalContextManager(contextManager);
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() };
}

/** A meter whose sums are kept, by the name of the instrument. */
function recordingMeter(): {
  meter: Meter;
  collect: () => Promise<{ name: string; value: unknown; attributes: object }[]>;
} {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  const provider = new MeterProvider({ readers: [reader] });
  const collect = async () => {
    exporter.reset();
    await reader.forceFlush();
    return exporter
      .getMetrics()
      .flatMap(({ scopeMetrics }) => scopeMetrics)
      .flatMap(({ metrics }) => metrics)
      .flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ value, attributes }) => ({ name: descriptor.name, value, attributes })),
      );
  };
  return { meter: provider.getMeter('test'), collect };
}

const asked = 'marzipan-4711';
const written = 'quetzal-0815';
const messages = [user(`The code is ${asked}.`), ...chat(40).slice(1), user(`Is it ${asked}?`)];
const fail = (): never => {
  throw new Error('There is no telemetry.');
};

const ignore = (): void => {};
const silent = {
  setAttributes: ignore,
  addEvent: ignore,
  setStatus: ignore,
  end: ignore,
};

const summarizer = () => summarizerModel(answer({ summary: `They spoke of ${written}.` }));

describe('a summary under a tracer', () => {
  it('is a span with its figures, and one within it for the call of the model, without texts', async () => {
    const { tracer, spans } = recordingTracer();
    const { events } = await called(
      messages,
      { telemetry: { tracer } },
      { summarizer: summarizer() },
    );
    const end = events.find((event) => event.type === 'end');
    const [call, summary] = spans();
    expect(spans()).toHaveLength(2);
    expect(summary?.name).toBe('summarize_conversation');
    expect(summary?.attributes).toEqual({
      'gen_ai.operation.name': 'summarize_conversation',
      'gen_ai.conversation.compacted': true,
      'summarization.input_tokens': 0,
      'summarization.output_tokens': 0,
      'summarization.reason': end?.reason,
      'summarization.prepared': false,
      'summarization.tokens_before': end?.tokensBefore,
      'summarization.tokens_after': end?.tokensAfter,
      'summarization.calls': 1,
      'summarization.strategy': 'llm',
      'summarization.record_id': end?.record.id,
      'summarization.depth': 0,
      'summarization.degraded': false,
      'summarization.score': end?.score,
      'summarization.covered_messages': end?.coveredMessages,
      'summarization.duration_ms': end?.durationMs,
    });
    expect(call?.name).toBe('chat summarizer');
    expect(call?.parentSpanContext?.spanId).toBe(summary?.spanContext().spanId);
    expect(call?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'summarizer',
      'gen_ai.output.type': 'json',
      'gen_ai.usage.input_tokens': 0,
      'gen_ai.usage.output_tokens': 0,
    });
  });

  it('names the conversation, behind redact, and providers as the conventions do', async () => {
    const { tracer, spans } = recordingTracer();
    const redact = (text: string): string => text.replaceAll('4711', '…');
    const { model } = setUp(
      { telemetry: { tracer }, redact },
      { summarizer: Object.assign(summarizerModel(), { provider: 'google.vertex.chat' }) },
    );
    const providerOptions = { summarization: { conversationId: 'chat 4711' } };
    await generateText({ model, messages, providerOptions });
    expect(spans().map(({ attributes }) => attributes['gen_ai.conversation.id'])).toEqual([
      'chat …',
      'chat …',
    ]);
    expect(spans()[0]?.attributes['gen_ai.provider.name']).toBe('gcp.vertex_ai');
  });

  it('shows texts where they are asked for, and is none where telemetry is disabled', async () => {
    const { tracer, spans } = recordingTracer();
    await called(messages, { telemetry: { tracer, isEnabled: false } });
    expect(spans()).toEqual([]);
    const telemetry = { tracer, recordInputs: true, recordOutputs: true };
    await called(messages, { telemetry }, { summarizer: summarizer() });
    const [call] = spans();
    expect(call?.attributes['gen_ai.input.messages']).toContain(asked);
    expect(call?.attributes['gen_ai.output.messages']).toContain(written);
  });

  it('says that a model failed and who took over, in no words of the conversation', async () => {
    const { tracer, spans } = recordingTracer();
    const failing = summarizerModel(({ prompt }) =>
      Promise.reject(new Error(`Refused: ${JSON.stringify(prompt)}`)),
    );
    await called(messages, { telemetry: { tracer } }, { summarizer: failing });
    const summary = spans().at(-1);
    expect(summary?.attributes['summarization.degraded']).toBe(true);
    expect(summary?.events.map(({ name }) => name)).toEqual([
      'summarization.failed',
      'summarization.fallback',
    ]);
    expect(spans()[0]?.status).toEqual({
      code: SpanStatusCode.ERROR,
      message: 'transport-error',
    });
    const shown = spans().map(({ attributes, events, status }) => ({ attributes, events, status }));
    expect(JSON.stringify(shown)).not.toContain(asked);
  });

  it('has failed where nobody wrote it', async () => {
    const { tracer, spans } = recordingTracer();
    const options = { telemetry: { tracer }, fallbackStrategy: false } as const;
    await called(messages, options, { summarizer: summarizerModel('no JSON') });
    expect(spans().at(-1)?.status.code).toBe(SpanStatusCode.ERROR);
    expect(spans().at(-1)?.attributes['error.type']).toBe('invalid-output');
  });

  it.each<[string, (run: (span: typeof silent) => unknown) => unknown]>([
    ['throws', () => fail()],
    ['never runs what it is given', () => undefined],
    ['runs it twice', (run) => [run(silent), run(silent)]],
    [
      'gives a span that throws',
      (run) => run({ setAttributes: fail, addEvent: fail, setStatus: fail, end: fail }),
    ],
  ])('is written all the same by a tracer that %s', async (_name, start) => {
    const startActiveSpan = (_span: string, _options: object, run: () => unknown): unknown =>
      start(run);
    const tracer = Object.assign(recordingTracer().tracer, { startActiveSpan });
    const { events, summarizer: paid } = await called(messages, { telemetry: { tracer } });
    expect(events.map(({ type }) => type)).toContain('end');
    expect(paid.doGenerateCalls).toHaveLength(1);
  });
});

describe('a meter', () => {
  it('counts summaries, tokens, fallbacks and faults', async () => {
    const { meter, collect } = recordingMeter();
    const failing = summarizerModel('no JSON');
    const { events } = await called(messages, { telemetry: { meter } }, { summarizer: failing });
    const end = events.find((event) => event.type === 'end');
    let counted: Awaited<ReturnType<typeof collect>> = [];
    // Instruments load beside the call, which does not wait for them.
    while (!counted.some(({ name }) => name === 'summarization.duration')) {
      await turns(1);
      counted = await collect();
    }
    const valueOf = (name: string): unknown => counted.find((each) => each.name === name)?.value;
    expect(valueOf('summarization.summaries')).toBe(1);
    expect(valueOf('summarization.tokens.saved')).toBe(
      (end?.tokensBefore ?? 0) - (end?.tokensAfter ?? 0),
    );
    expect(valueOf('summarization.fallbacks')).toBe(1);
    expect(valueOf('summarization.failures')).toBe(1);
    expect(valueOf('summarization.duration')).toMatchObject({ count: 1 });
    expect(counted.map(({ name }) => name)).toContain('summarization.tokens.billed');
    expect(JSON.stringify(counted)).not.toContain(asked);
  });
});
