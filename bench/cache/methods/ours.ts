import { wrapLanguageModel } from 'ai';
import { summarizationMiddleware, type SummarizationOptions } from '../../../dist/index.js';
import type { Method } from './method.ts';

/** The middleware with its defaults, apart from what is given. */
export function ours(name: string, options: SummarizationOptions = {}): Method {
  return {
    name,
    open: ({ model, summarizer, contextLength, onSummary }) =>
      wrapLanguageModel({
        model,
        middleware: summarizationMiddleware({
          contextLength,
          summarizerModelPreference: summarizer,
          onEvent: ({ type }) => {
            if (type === 'end') onSummary();
          },
          ...options,
        }),
      }),
  };
}
