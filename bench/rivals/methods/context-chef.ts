import { withContextChef, type ContextChefOptions } from '@context-chef/ai-sdk-middleware';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import type { Method } from '../../cache/methods/method.ts';

const silent = { warn: () => undefined, error: () => undefined };

/**
 * `@context-chef/ai-sdk-middleware` as the quick start of its README shows it, with a session id.
 *
 * @param exact - Whether it is given a tokenizer, which its README offers for precise counting.
 */
export function contextChef(exact: boolean): Method {
  return {
    name: `context-chef 3.1.1, ${exact ? 'with a tokenizer' : 'quick start'}`,
    open: ({ model, summarizer, contextLength }) => {
      const options: ContextChefOptions = {
        contextWindow: contextLength,
        compress: { model: summarizer },
        truncate: { threshold: 5000, headChars: 500, tailChars: 1000 },
        logger: silent,
      };
      const wrapped = withContextChef(
        model,
        exact
          ? { ...options, tokenizer: (messages) => encode(JSON.stringify(messages)).length }
          : options,
      );
      return {
        ...model,
        doGenerate: (call) =>
          wrapped.doGenerate({ ...call, providerOptions: { contextChef: { sessionId: 'one' } } }),
      };
    },
  };
}
