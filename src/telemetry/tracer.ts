/** What an attribute of a span or of a measurement may be. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** As much of OpenTelemetry's `Span` as is used. */
export interface TelemetrySpan {
  setAttributes: (attributes: Record<string, string | number | boolean>) => unknown;
  addEvent: (name: string, attributes: Record<string, string | number | boolean>) => unknown;
  setStatus: (status: { code: number; message?: string }) => unknown;
  end: () => void;
}

/** As much of OpenTelemetry's `Tracer` as is used, so that its packages need not be installed. */
export interface TelemetryTracer {
  startActiveSpan: <T>(
    name: string,
    options: { kind?: number; attributes?: Record<string, string | number | boolean> },
    run: (span: TelemetrySpan) => T,
  ) => T;
}

/** As much of OpenTelemetry's `Counter` and `Histogram` as is used. */
export interface TelemetryCounter {
  add: (value: number, attributes: Record<string, string | number | boolean>) => void;
}

export interface TelemetryHistogram {
  record: (value: number, attributes: Record<string, string | number | boolean>) => void;
}

/** As much of OpenTelemetry's `Meter` as is used. */
export interface TelemetryMeter {
  createCounter: (name: string, options: { description: string; unit: string }) => TelemetryCounter;
  createHistogram: (
    name: string,
    options: { description: string; unit: string },
  ) => TelemetryHistogram;
}
