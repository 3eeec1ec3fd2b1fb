import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import type { SummarizationOptions, SummaryStore } from '../../src/index.ts';
import { emptyContent } from '../../test/support/empty-content.ts';
import { chatModel } from '../../test/support/models.ts';
import { builtRoot } from '../built-package.ts';

/** What one process sends and pays. */
export interface LocalProcess {
  readonly send: (prompt: LanguageModelV4Prompt, conversationId: string) => Promise<void>;
  readonly bills: () => number;
}

/** A model and a summarizer that are functions of this process. */
export function localProcess(store: SummaryStore, options: SummarizationOptions): LocalProcess {
  let bills = 0;
  const middleware = builtRoot.summarizationMiddleware({
    store,
    secret: 'the secret of the benchmark',
    strategy: {
      name: 'local',
      summarize: async () => {
        bills += 1;
        const usage = { inputTokens: 1, outputTokens: 1 };
        return { content: emptyContent(`They spoke, bill ${bills}.`), usage };
      },
    },
    fallbackStrategy: false,
    ...options,
  });
  const model = wrapLanguageModel({ model: chatModel({ modelId: 'local' }), middleware });
  return {
    send: async (prompt, conversationId) => {
      await model.doGenerate({ prompt, providerOptions: { summarization: { conversationId } } });
    },
    bills: () => bills,
  };
}
