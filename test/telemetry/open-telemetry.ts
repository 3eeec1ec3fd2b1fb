import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  ROOT_CONTEXT,
  type Context,
  type ContextManager,
  type Meter,
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
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

const active = new AsyncLocalStorage<Context>();

const contextManager: ContextManager = {
  active: () => active.getStore() ?? ROOT_CONTEXT,
  with: (current, run, self, ...given) => active.run(current, () => run.apply(self, given)),
  bind: (_context, target) => target,
  enable: () => contextManager,
  disable: () => contextManager,
};

/** A tracer whose finished spans are kept; the active span is that of the asynchronous context. */
export function recordingTracer(): { tracer: Tracer; spans: () => ReadableSpan[] } {
  context.setGlobalContextManager(contextManager);
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracer: provider.getTracer('test'), spans: () => exporter.getFinishedSpans() };
}

/** A meter whose sums are kept, by the name of the instrument. */
export function recordingMeter(): {
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
