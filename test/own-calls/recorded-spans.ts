import { tracingChannel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { LegacyOpenTelemetry, OpenTelemetry } from '@ai-sdk/otel';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { registerTelemetry } from 'ai';

const exporter = new InMemorySpanExporter();
const published: string[] = [];

/** Lets all that listens to the SDK's telemetry listen, and keeps in memory what it hears. */
export function recordTelemetry(): void {
  const tracer = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  }).getTracer('test');
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
export function takeTelemetry(): { readonly spans: string[]; readonly messages: string[] } {
  const spans = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) =>
      JSON.stringify({ name, attributes, events, status }),
    );
  exporter.reset();
  return { spans, messages: published.splice(0) };
}
