import type { CallReporter } from './call-reporter.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import { warnOfGateway } from './warn-of-gateway.ts';

/** Watches the models that are asked for one summary. */
export interface SummarizerWatch {
  readonly attempt: (attempt: SummaryAttempt) => void;
  /** Warns of the models that never answered as they should. */
  readonly warn: () => void;
}

/**
 * Warns of summarising models that failed at a summary, where nobody may be listening to events: by name and
 * kind of error, without any text. A model that was too small for the messages has not failed.
 */
export function watchSummarizers(warn: CallReporter['warn']): SummarizerWatch {
  const failed = new Map<string, SummaryAttempt>();
  return {
    attempt: (attempt) => {
      if (attempt.isTooLong === true) return;
      if (attempt.outcome === 'ok') failed.delete(attempt.model);
      else failed.set(attempt.model, attempt);
    },
    warn: () => {
      for (const attempt of failed.values()) warnOf(warn, attempt);
    },
  };
}

function warnOf(warn: CallReporter['warn'], attempt: SummaryAttempt): void {
  const { model, outcome, detail = 'unknown error' } = attempt;
  if (model.startsWith('gateway:') && outcome === 'transport-error') {
    warnOfGateway(warn, attempt);
    return;
  }
  const what = outcome === 'transport-error' ? 'could not be used' : 'gave no usable summary';
  warn({
    code: 'summarizer-failed',
    cause: `${model} ${detail}`,
    message:
      `The summarising model ${model} ${what} (${detail}): summaries are written by the next model of ` +
      'summarizerModelPreference, else without a model. The events that onEvent is told hold the error.',
  });
}
