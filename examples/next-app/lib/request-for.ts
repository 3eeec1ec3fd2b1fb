import type { ChatMessage } from './chat-message.ts';
import type { ChatRequest } from './chat-request.ts';

/** Requests of a page besides an answer. */
export interface Wish {
  readonly compact?: string;
  readonly edit?: boolean;
}

/** The request for the next answer: the latest user messages and what they follow. */
export function requestFor(
  chatId: string,
  messages: readonly ChatMessage[],
  { compact = '', edit = false }: Wish = {},
): ChatRequest {
  const parent =
    compact === '' ? messages.findLastIndex(({ role }) => role !== 'user') : messages.length - 1;
  return {
    chatId,
    parentId: messages[parent]?.id ?? null,
    messages: messages
      .slice(parent + 1)
      .map((message) => ({ id: message.id, role: 'user', parts: textParts(message) })),
    compact,
    edit,
  };
}

function textParts({ parts }: ChatMessage): { type: 'text'; text: string }[] {
  return parts.flatMap((part) =>
    part.type === 'text' ? { type: part.type, text: part.text } : [],
  );
}
