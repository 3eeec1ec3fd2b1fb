import { z } from 'zod';
import type { ChatMessage } from './chat-message.ts';

/** What the page sends: never the history, which the server has. */
export const chatRequestSchema = z.object({
  chatId: z.string(),
  /** The message that those below follow; `null` at the beginning. */
  parentId: z.string().nullable(),
  /** The user's messages that have no answer yet; none when only a summary is asked for. */
  messages: z
    .array(
      z.object({
        id: z.string().min(1).max(100),
        role: z.literal('user'),
        parts: z.array(z.object({ type: z.literal('text'), text: z.string().min(1) })).min(1),
      }),
    )
    .max(100),
  /** Whether to summarise now: `/resummarize`. */
  resummarize: z.boolean().default(false),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;

/**
 * The history that a request goes on with: for new messages the whole one, for an edited or
 * regenerated one the part before it. `undefined` if the history has gone on elsewhere, in another
 * window for example.
 */
export function continuedMessages(
  stored: readonly ChatMessage[],
  { parentId, messages }: Pick<ChatRequest, 'parentId' | 'messages'>,
): ChatMessage[] | undefined {
  const parent = parentId === null ? -1 : stored.findIndex(({ id }) => id === parentId);
  if (parentId !== null && parent === -1) return undefined;
  const history = stored.slice(0, parent + 1);
  const followers = stored.slice(parent + 1);

  const firstNew = messages.findIndex(({ id }, index) => id !== followers[index]?.id);
  if (messages.length > 0 && firstNew === -1) return [...history, ...messages];
  const known = messages.slice(0, firstNew);
  const unseen = followers.slice(known.length);
  // The page may have stopped the answer to its message before it saw anything of it.
  const isBehind = unseen.length > (unseen[0]?.role === 'assistant' ? 1 : 0);
  return isBehind ? undefined : [...history, ...known, ...unseen, ...messages.slice(known.length)];
}

/** The request for the next answer: the latest user messages and what they follow. */
export function requestFor(
  chatId: string,
  messages: readonly ChatMessage[],
  resummarize: boolean,
): z.input<typeof chatRequestSchema> {
  const parent = resummarize
    ? messages.length - 1
    : messages.findLastIndex(({ role }) => role !== 'user');
  return {
    chatId,
    parentId: messages[parent]?.id ?? null,
    messages: messages
      .slice(parent + 1)
      .map((message) => ({ id: message.id, role: 'user', parts: textParts(message) })),
    resummarize,
  };
}

function textParts({ parts }: ChatMessage): { type: 'text'; text: string }[] {
  return parts.flatMap((part) =>
    part.type === 'text' ? { type: part.type, text: part.text } : [],
  );
}
