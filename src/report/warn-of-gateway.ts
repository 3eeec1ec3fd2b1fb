import type { SummaryAttempt } from '../strategies/summary-strategy.ts';
import type { CallReporter } from './call-reporter.ts';

/**
 * Warns of a summarising model that the Vercel AI Gateway serves and that could not be used: a model id
 * goes there, which somebody with a key of the provider alone does not expect.
 */
export function warnOfGateway(
  warn: CallReporter['warn'],
  { model, detail = 'unknown error' }: SummaryAttempt,
): void {
  const id = model.slice('gateway:'.length);
  warn({
    code: 'summarizer-through-gateway',
    cause: model,
    message:
      `The summarising model '${id}' could not be used (${detail}). It goes through the Vercel AI Gateway, as ` +
      'every model does that is given as a string: set AI_GATEWAY_API_KEY, or give the model object of a ' +
      "provider, such as openai('gpt-5-nano'), as summarizerModelPreference.",
  });
}
