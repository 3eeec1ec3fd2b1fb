import type { UIMessage } from 'ai';
import { useMemo } from 'react';
import {
  readSummarization,
  type ReadSummarizationOptions,
  type Summarization,
} from '../ui/read-summarization.ts';

/**
 * What a page can show of a conversation's summaries: how full the context is and with what, the summary that is
 * being written, each summary with its place and the messages that it stands for, and what was not sent.
 *
 * @param messages - Those of `useChat`, whose route uses `summaryDataParts` and `summarizationMetadata`.
 */
export function useSummarization(
  messages: readonly Pick<UIMessage, 'id' | 'role' | 'parts' | 'metadata'>[],
  { isStreaming }: ReadSummarizationOptions = {},
): Summarization {
  return useMemo(() => readSummarization(messages, { isStreaming }), [messages, isStreaming]);
}
