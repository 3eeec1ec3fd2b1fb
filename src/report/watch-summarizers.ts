import type { CallReporter, CallWarning } from './reporter.ts';
import type { SummaryAttempt } from '../strategies/summary-strategy.ts';

/**
 * Warns of summarising models that failed at a summary, where nobody may be listening to events: by name and
 * kind of error, without any text. A model that was too small for the messages has not failed.
 *
 * @returns what is told of each attempt, and at the end warns of the models that never answered as they should.
 */
export function watchSummarizers(
  warn: CallReporter['warn'],
): Readonly<{ attempt: (attempt: SummaryAttempt) => void; warn: () => void }> {
  const attempts = new Map<string, readonly SummaryAttempt[]>();
  return {
    attempt: (attempt) => {
      if (attempt.isTooLong === true || attempt.outcome === 'aborted') return;
      attempts.set(attempt.model, [...(attempts.get(attempt.model) ?? []), attempt]);
    },
    warn: () => {
      for (const all of attempts.values()) {
        const last = all.findLast(({ refused }) => refused === undefined);
        // One that failed in all forms is not to be mended by one.
        if (last !== undefined && last.outcome !== 'ok') warn(warningOf(last));
        else for (const attempt of all) warnOfForm(attempt, warn);
      }
    },
  };
}

/** What was left out of a request, in words; limits are the package's own, and nobody misses them. */
const leftOut: Readonly<Record<string, string>> = {
  json: "JSON as the answer's format",
  system: 'a system message',
};

function warnOfForm(
  { model, refused = [], said, detail = 'unknown error' }: SummaryAttempt,
  warn: CallReporter['warn'],
): void {
  const [part] = refused.flatMap((each) => leftOut[each] ?? []);
  if (part === undefined) return;
  warn({
    code: 'summarizer-form',
    cause: `${model} ${part}`,
    message:
      `The summarising model ${model} does not take ${part} (${said ?? detail}): it is asked without from now on, and ` +
      'told in words instead. Summaries are written; a model that takes it may write better ones.',
  });
}

function warningOf({ model, outcome, detail = 'unknown error' }: SummaryAttempt): CallWarning {
  // A model id goes to the gateway, which somebody with a key of the provider alone does not expect.
  if (model.startsWith('gateway:') && outcome === 'transport-error') {
    const id = model.slice('gateway:'.length);
    return {
      code: 'summarizer-through-gateway',
      cause: model,
      message:
        `The summarising model '${id}' could not be used (${detail}). It goes through the Vercel AI Gateway, as ` +
        'every model does that is given as a string: set AI_GATEWAY_API_KEY, or give the model object of a ' +
        "provider, such as openai('gpt-5-nano'), as summarizerModelPreference.",
    };
  }
  const what = outcome === 'transport-error' ? 'could not be used' : 'gave no usable summary';
  return {
    code: 'summarizer-failed',
    cause: `${model} ${detail}`,
    message:
      `The summarising model ${model} ${what} (${detail}): summaries are written by the next model of ` +
      'summarizerModelPreference, else without a model. The events that onEvent is told hold the error.',
  };
}
