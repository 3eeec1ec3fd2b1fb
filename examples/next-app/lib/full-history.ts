import type { LanguageModelMiddleware, UIMessage } from 'ai';
import { countPromptTokens } from 'ai-sdk-summarization';
import { summarizationMetadata } from 'ai-sdk-summarization/ui';

type MessageMetadata = ReturnType<typeof summarizationMetadata>;

/** The metadata of an answer, and beside each call what all messages would have come to: for the chart alone. */
export function metadataWithHistory(continues: UIMessage | undefined): {
  readonly messageMetadata: MessageMetadata;
  /** Stands before the summarization middleware. */
  readonly countHistory: LanguageModelMiddleware;
} {
  const note = summarizationMetadata({ continues });
  const counted = new Map<number, number>();
  let history = 0;
  const messageMetadata: MessageMetadata = (given) => {
    const calls = note(given)?.summarization?.calls ?? [];
    const latest = calls.at(-1);
    if (latest === undefined) return undefined;
    // Without a summary all was sent, as the provider counted it.
    counted.set(calls.length - 1, latest.coveredMessages === 0 ? latest.tokens : history);
    const noted = calls.map((call, index) => {
      const fullTokens = counted.get(index);
      return fullTokens === undefined ? call : { ...call, fullTokens };
    });
    return { summarization: { calls: noted } };
  };
  const countHistory: LanguageModelMiddleware = {
    specificationVersion: 'v4',
    transformParams: async ({ params, model }) => {
      history = (await countPromptTokens({ ...params, messages: params.prompt, model })).total;
      return params;
    },
  };
  return { messageMetadata, countHistory };
}
