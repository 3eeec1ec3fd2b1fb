import type { RedactionDoor } from '../../cleaning/redaction-door.ts';
import type { SummarizationTelemetry } from '../call-telemetry.ts';
import type { SummaryInput } from '../summary-strategy.ts';
import type { CallFailure } from './classify-failure.ts';
import type { ModelObject } from './resolve-model.ts';

/** One call of a summarising model. */
export interface ModelCall {
  readonly model: ModelObject;
  /** The one user message. */
  readonly prompt: string;
  /** Milliseconds after which the call counts as failed. */
  readonly timeoutMs: number;
  /** What of the answer comes back, and into logs, has gone through it. */
  readonly clean: RedactionDoor;
  readonly telemetry?: SummarizationTelemetry | undefined;
  /** Told the narrative of a record as far as it is written: the model is asked to stream then. */
  readonly onPartial?: ((narrative: string) => void) | undefined;
  /** @default nothing of the call that is worked for */
  readonly termsFor?: SummaryInput['termsFor'];
  readonly abortSignal?: AbortSignal | undefined;
}

/** Tokens a call was billed, 0 where the provider does not say. */
export interface CallUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How a call ended. A failure is a value, so that an error of the provider cannot escape. */
export type ModelCallResult<Answer extends object> = { readonly usage: CallUsage } & (
  | (Answer & { readonly outcome: 'ok' })
  | CallFailure
);
