import { wrapLanguageModel } from 'ai';
import type { SummarizationOptions } from '../../../src/index.ts';
import { builtRoot } from '../../built-package.ts';
import type { Method } from './method.ts';

/** The middleware with its defaults, apart from what is given. */
export function ours(name: string, options: SummarizationOptions = {}): Method {
  return {
    name,
    open: ({ model, summarizer, contextLength, onSummary }) =>
      wrapLanguageModel({
        model,
        middleware: builtRoot.summarizationMiddleware({
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
