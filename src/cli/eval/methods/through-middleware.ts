import { wrapLanguageModel } from 'ai';
import { summarizationMiddleware } from '../../../middleware.ts';
import { memoryStore } from '../../../stores/memory-store.ts';
import { callsOf } from '../../formats/calls-of.ts';
import type { Method } from './method.ts';

/** Milliseconds for which summaries are awaited: an answer without one would tell nothing of them. */
const patience = 600_000;

/** The middleware with its defaults: sees the conversation grow, call by call, and then the question. */
export function throughMiddleware(strategy: 'llm' | 'rule-based'): Method {
  return async ({ prompt, model, contextLength, maxOutputTokens, onSummary }) => {
    const middleware = summarizationMiddleware({
      strategy,
      contextLength,
      store: memoryStore(),
      summaryTimeoutMs: patience,
      maxWaitMs: patience,
      onEvent: (event) => {
        if (event.type === 'end') onSummary(event.degraded);
      },
    });
    for (const end of callsOf(prompt))
      await middleware.transformParams?.({
        params: { prompt: prompt.slice(0, end), maxOutputTokens },
        type: 'generate',
        model,
      });
    const wrapped = wrapLanguageModel({ model, middleware });
    return (question) => wrapped.doGenerate({ prompt: [...prompt, question], maxOutputTokens });
  };
}
