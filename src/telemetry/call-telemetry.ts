import { hasFunctions, optionsOf, rule, type OptionRule } from '../checks/option-rule.ts';
import type { TelemetryMeter, TelemetryTracer } from './run-in-span.ts';

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
  const yesOrNo = rule<boolean>(allowed, (value) => typeof value === 'boolean');
  return optionsOf<SummarizationTelemetry>(
    {
      isEnabled: yesOrNo,
      recordInputs: yesOrNo,
      recordOutputs: yesOrNo,
      tracer: rule(allowed, (value) => hasFunctions(value, 'startActiveSpan')),
      meter: rule(allowed, (value) => hasFunctions(value, 'createCounter', 'createHistogram')),
    },
    { allowed },
  );
}
