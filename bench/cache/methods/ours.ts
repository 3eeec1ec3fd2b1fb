import { wrapLanguageModel } from 'ai';
import type { SummarizationOptions } from '../../../src/index.ts';
import { builtRoot } from '../../built-package.ts';
import type { Method } from './method.ts';

/** The middleware with its defaults, apart from what is given. */
export function ours(name: string, options: SummarizationOptions = {}): Method {
  return {
    name,
    open: ({ model, summarizer, contextLength, onSummary, onChange }) =>
      wrapLanguageModel({
        model,
        middleware: builtRoot.summarizationMiddleware({
          contextLength,
          summarizerModelPreference: summarizer,
          // No clock decides, however slow the machine.
          ...(options.background === undefined && { maxWaitMs: 3_600_000 }),
          onEvent: (event) => {
            if (event.type === 'end') onSummary();
            if (event.type === 'skipped' && event.reason === 'condensed') onChange?.();
          },
          ...options,
        }),
      }),
  };
}

/** The same with summaries beside the answers, each of which has ended before the next call. */
export function oursBeside(name: string): Method {
  const works: Promise<void>[] = [];
  const { open } = ours(name, { background: (work) => void works.push(work) });
  return {
    name,
    open: (input) => {
      const model = open(input);
      return {
        ...model,
        doGenerate: async (options) => {
          const answer = await model.doGenerate(options);
          await Promise.all(works.splice(0));
          return answer;
        },
      };
    },
  };
}
