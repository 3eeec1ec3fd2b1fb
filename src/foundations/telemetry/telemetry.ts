import type { Telemetry } from 'ai';
import {
  anyBoolean,
  hasFunctions,
  optionsOf,
  rule,
  type OptionRule,
} from '../checks/option-rule.ts';
import { runSafely } from '../util/async/callbacks.ts';

/**
 * Settings for the AI SDK's telemetry of calls of summarizing models. A middleware cannot see the `telemetry`
 * of the call it works for, so this is said once, for all of them.
 */
export interface SummarizationTelemetry {
  /**
   * Whether they show up at all.
   * @default true
   */
  readonly isEnabled?: boolean | undefined;
  /**
   * Whether they show what the model was asked, which holds the messages to summarize.
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
   * each call of a summarizing model a span within it, in the conventions for generative AI, with the tokens that it took.
   * The AI SDK's own telemetry shows nothing of those calls then: backends would add the same tokens up twice.
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

/** Rule of the option `telemetry`. */
export function telemetryRule(): OptionRule<SummarizationTelemetry> {
  const allowed =
    'an object with isEnabled, recordInputs and recordOutputs, each a boolean, and a tracer and a meter of OpenTelemetry';
  return optionsOf<SummarizationTelemetry>(
    {
      isEnabled: anyBoolean,
      recordInputs: anyBoolean,
      recordOutputs: anyBoolean,
      tracer: rule(allowed, (value) => hasFunctions(value, 'startActiveSpan')),
      meter: rule(allowed, (value) => hasFunctions(value, 'createCounter', 'createHistogram')),
    },
    { allowed },
  );
}

/** Attributes of a span or of a measurement. */
export type TelemetryAttributes = Readonly<Record<string, string | number | boolean>>;

/** As much of OpenTelemetry's `Span` as is used. */
export interface TelemetrySpan {
  setAttributes: (attributes: TelemetryAttributes) => unknown;
  addEvent: (name: string, attributes: TelemetryAttributes) => unknown;
  setStatus: (status: { code: number; message?: string }) => unknown;
  end: () => void;
}

/** OpenTelemetry's `SpanOptions`; of the kinds 0 for work in this process, 2 for a call of another. */
interface SpanOptions {
  kind?: 0 | 2;
  attributes?: TelemetryAttributes;
}

/** As much of OpenTelemetry's `Tracer` as is used, so that its packages need not be installed. */
export interface TelemetryTracer {
  startActiveSpan: <T>(name: string, options: SpanOptions, run: (span: TelemetrySpan) => T) => T;
}

type Measure = (value: number, attributes: TelemetryAttributes) => void;
type MakeInstrument<Made> = (name: string, options: { description: string; unit: string }) => Made;

/** As much of OpenTelemetry's `Meter` as is used. */
export interface TelemetryMeter {
  createCounter: MakeInstrument<{ add: Measure }>;
  createHistogram: MakeInstrument<{ record: Measure }>;
}

/** Tells a span something, where there is one: its faults are not those of the work. */
export type UpdateSpan = (tell: (span: TelemetrySpan) => unknown) => void;

/**
 * Runs work in a span of the tracer that `telemetry` names, if it names one: the active span for what the work calls. A
 * tracer that throws costs no more than the span.
 */
export async function runInSpan<T>(
  { tracer, isEnabled }: SummarizationTelemetry,
  name: string,
  options: SpanOptions,
  work: (tellSpan: UpdateSpan) => Promise<T>,
): Promise<T> {
  let running: Promise<T> | undefined;
  const start = (span: TelemetrySpan): Promise<T> => {
    const tellSpan: UpdateSpan = (tell) => runSafely(() => tell(span));
    running ??= work(tellSpan).finally(() => tellSpan((open) => open.end()));
    return running;
  };
  if (isEnabled !== false) runSafely(() => void tracer?.startActiveSpan(name, options, start));
  // A tracer that begins the span later finds the work begun.
  running ??= work(() => {});
  return running;
}

/**
 * Where the AI SDK tells its integrations what a call took, the innermost first: each of these events says the same of a
 * call that is one request.
 */
const usageEvents = {
  text: [['onLanguageModelCallEnd'], ['onStepEnd', 'onStepFinish'], ['onEnd']],
  object: [['onObjectStepEnd'], ['onEnd']],
} as const;

/**
 * Integrations of the AI SDK's telemetry that are told once what a call took, by the innermost event that they listen to:
 * they put the tokens of each on a span of its own, and backends would add them up.
 */
export function reportUsageOnce(
  integrations: readonly object[],
  operation: keyof typeof usageEvents,
): Telemetry[] {
  return integrations.map((integration) => {
    const memberOf = (name: string): unknown => Reflect.get(integration, name);
    const events: readonly (readonly string[])[] = usageEvents[operation];
    const isHeard = (name: string): boolean => typeof memberOf(name) === 'function';
    const innermost = events.findIndex((names) => names.some(isHeard));
    const repeated = new Set(events.slice(innermost + 1).flat());
    const get = (_heir: Telemetry, name: string): unknown => {
      const member = memberOf(name);
      if (typeof member !== 'function') return member;
      return (event: object, ...more: unknown[]): unknown => {
        const told = repeated.has(name) ? withoutUsage(event) : event;
        return Reflect.apply(member, integration, [told, ...more]);
      };
    };
    // Over a heir: a frozen integration must have its own members.
    return new Proxy<Telemetry>(Object.create(integration), { get });
  });
}

function withoutUsage(event: object): object {
  return Object.assign(Object.create(Object.getPrototypeOf(event)), event, { usage: {} });
}

/** The same telemetry with the id of a conversation on each span. */
export function inConversation(
  { tracer, ...telemetry }: SummarizationTelemetry,
  id: string | undefined,
): SummarizationTelemetry {
  if (tracer === undefined) return telemetry;
  const attributes = id === undefined ? {} : { 'gen_ai.conversation.id': id };
  const startActiveSpan: TelemetryTracer['startActiveSpan'] = (name, options, run) => {
    const all = { ...options, attributes: { ...options.attributes, ...attributes } };
    return tracer.startActiveSpan(name, all, run);
  };
  return { ...telemetry, tracer: { startActiveSpan } };
}

/**
 * Names of providers in OpenTelemetry's conventions for generative AI, by how those of the SDK begin, the longest first
 * (opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai, November 2026).
 */
const providerNames = [
  ['google.vertex', 'gcp.vertex_ai'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
] as const;

/** Attributes by which a model is known. */
export function modelAttributes({
  provider,
  modelId,
}: {
  readonly provider: string;
  readonly modelId: string;
}): TelemetryAttributes {
  const known = providerNames.find(([begin]) => provider.startsWith(begin));
  const [family = provider] = provider.split('.');
  return { 'gen_ai.provider.name': known?.[1] ?? family, 'gen_ai.request.model': modelId };
}

/** OpenTelemetry's `SpanStatusCode.ERROR`. */
const errorStatus = 2;

/** Says that the work of a span failed, by a kind of error that holds no text of the conversation. */
export function failSpan(span: TelemetrySpan, errorType: string): void {
  span.setAttributes({ 'error.type': errorType });
  span.setStatus({ code: errorStatus, message: errorType });
}
