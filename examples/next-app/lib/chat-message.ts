import type { InferUITools, UIMessage } from 'ai';
import type { SummarizationDataParts, SummarizationMessageMetadata } from 'ai-sdk-summarization/ui';
import type { ChatTools } from './tools.ts';

/** A message of this app: calls as metadata, summaries as data parts. Neither reaches the model. */
export type ChatMessage = UIMessage<
  SummarizationMessageMetadata,
  SummarizationDataParts,
  InferUITools<ChatTools>
>;

/** The text of a message, its parts joined. */
export function textOf({ parts }: Pick<ChatMessage, 'parts'>): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
