import type { LanguageModelMiddleware } from 'ai';
import { emptyContent } from '../support/empty-content.ts';
import {
  type SummarizationOptions,
  type SummaryStrategy,
  summarizationMiddleware,
} from '../../src/index.ts';

/** A summary that costs no model call and is small beside any covered message. */
const shortStrategy: SummaryStrategy = {
  name: 'short',
  summarize: () =>
    Promise.resolve({
      content: emptyContent('The user had the parser looked at.'),
      usage: { inputTokens: 0, outputTokens: 0 },
    }),
};

/** The middleware, set so that `force` cuts exactly where `preserveRecent` says. */
export function shortSummaries(
  options: SummarizationOptions & { readonly preserveRecent: number },
): LanguageModelMiddleware {
  return summarizationMiddleware({
    strategy: shortStrategy,
    contextLength: 200_000,
    minMessages: 1,
    cooldownMessages: 0,
    preserveRecentTokenRatio: 0,
    ...options,
  });
}
