import { flag, hasFunctions, optionsOf, rule, type OptionRule } from '../checks/option-rule.ts';
import { harmlessly } from '../util/async/callbacks.ts';

/**
 * What calls of summarising models show to the AI SDK's telemetry. A middleware cannot see the `telemetry`
 * of the call it works for, so this is said once, for all of them.
 */
export interface SummarizationTelemetry {
  /**
   * Whether they show up at all.
   * @default true
   */
  readonly isEnabled?: boolean | undefined;
  /**
   * Whether they show what the model was asked, which holds the messages to summarise.
   * @default false
   */
  readonly recordInputs?: boolean | undefined;
  /**
   * Whether they show what the model answered.
   * @default false
   */
  readonly recordOutputs?: boolean | undefined;
  /**
   * A tracer of OpenTelemetry, such as `trace.getTracer('app')`: each summary becomes a span with its figures,
   * each call of a summarising model a span within it, in the conventions for generative AI. What the AI SDK
   * itself traces of those calls stands within theirs.
   * @default none
   */
  readonly tracer?: TelemetryTracer | undefined;
  /**
   * A meter of OpenTelemetry, such as `metrics.getMeter('app')`: counts summaries, tokens saved and billed,
   * durations, fallbacks, faults.
   * @default none
   */
  readonly meter?: TelemetryMeter | undefined;
}

/** What the option `telemetry` accepts. */
export function telemetryRule(): OptionRule<SummarizationTelemetry> {
  const allowed =
    'an object with isEnabled, recordInputs and recordOutputs, each a boolean, and a tracer and a meter of OpenTelemetry';
  return optionsOf<SummarizationTelemetry>(
    {
      isEnabled: flag,
      recordInputs: flag,
      recordOutputs: flag,
      tracer: rule(allowed, (value) => hasFunctions(value, 'startActiveSpan')),
      meter: rule(allowed, (value) => hasFunctions(value, 'createCounter', 'createHistogram')),
    },
    { allowed },
  );
}

/** What an attribute of a span or of a measurement may be. */
export type TelemetryAttributes = Readonly<Attributes>;

type Attributes = Record<string, string | number | boolean>;

/** As much of OpenTelemetry's `Span` as is used. */
export interface TelemetrySpan {
  setAttributes: (attributes: Attributes) => unknown;
  addEvent: (name: string, attributes: Attributes) => unknown;
  setStatus: (status: { code: number; message?: string }) => unknown;
  end: () => void;
}

/** As much of OpenTelemetry's `Tracer` as is used, so that its packages need not be installed. */
export interface TelemetryTracer {
  startActiveSpan: <T>(
    name: string,
    options: { kind?: number; attributes?: Attributes },
    run: (span: TelemetrySpan) => T,
  ) => T;
}

/** As much of OpenTelemetry's `Counter` and `Histogram` as is used. */
export interface TelemetryCounter {
  add: (value: number, attributes: Attributes) => void;
}

export interface TelemetryHistogram {
  record: (value: number, attributes: Attributes) => void;
}

/** As much of OpenTelemetry's `Meter` as is used. */
export interface TelemetryMeter {
  createCounter: (name: string, options: { description: string; unit: string }) => TelemetryCounter;
  createHistogram: (
    name: string,
    options: { description: string; unit: string },
  ) => TelemetryHistogram;
}

/** OpenTelemetry's `SpanStatusCode.ERROR`. */
const errorStatus = 2;

/** A span that is opened around some work. */
export interface SpanOfWork {
  readonly name: string;
  /** OpenTelemetry's `SpanKind`: 0 for work in this process, 2 for a call of another. */
  readonly kind: 0 | 2;
  readonly attributes: TelemetryAttributes;
}

/** A span as work sees it: what it is told never fails the work. */
export interface WorkSpan {
  readonly set: (attributes: TelemetryAttributes) => void;
  readonly event: (name: string, attributes: TelemetryAttributes) => void;
  /** Says that the work failed, by a kind of error that holds no text of the conversation. */
  readonly fail: (errorType: string) => void;
}

/**
 * Runs work in a span, which is the active one for what the work calls. A tracer that throws costs no more
 * than the span.
 */
export async function runInSpan<T>(
  tracer: TelemetryTracer,
  { name, kind, attributes }: SpanOfWork,
  work: (span: WorkSpan) => Promise<T>,
): Promise<T> {
  let running: Promise<T> | undefined;
  const start = (span: TelemetrySpan): Promise<T> => {
    running ??= work(guarded(span)).finally(() => harmlessly(() => span.end()));
    return running;
  };
  harmlessly(
    () => void tracer.startActiveSpan(name, { kind, attributes: { ...attributes } }, start),
  );
  // A tracer that begins the span later finds the work begun.
  running ??= work(noSpan);
  return running;
}

const noSpan: WorkSpan = { set: () => {}, event: () => {}, fail: () => {} };

function guarded(span: TelemetrySpan): WorkSpan {
  return {
    set: (attributes) => harmlessly(() => void span.setAttributes({ ...attributes })),
    event: (name, attributes) => harmlessly(() => void span.addEvent(name, { ...attributes })),
    fail: (errorType) =>
      harmlessly(() => {
        span.setAttributes({ 'error.type': errorType });
        span.setStatus({ code: errorStatus, message: errorType });
      }),
  };
}
