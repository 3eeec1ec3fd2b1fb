import { z } from 'zod';
import type { ChatMessage } from './chat-message.ts';

/** What the page sends: never the history, which the server has. */
export const chatRequestSchema = z.object({
  chatId: z.string(),
  /** The last message that the request goes on from; `null` at the beginning. */
  parentId: z.string().nullable(),
  /** The user's message; none when only a summary is asked for. */
  message: z
    .object({
      id: z.string().min(1).max(100),
      role: z.literal('user'),
      parts: z.array(z.object({ type: z.literal('text'), text: z.string().min(1) })).min(1),
    })
    .optional(),
  /** Whether to summarise now: `/resummarize`. */
  resummarize: z.boolean().default(false),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;

/**
 * The history that a request goes on with: for a new message the whole one, for an edited or
 * regenerated one the part before it. `undefined` if the history has gone on elsewhere, in another
 * window for example.
 */
export function continuedMessages(
  messages: readonly ChatMessage[],
  { parentId, message }: Pick<ChatRequest, 'parentId' | 'message'>,
): ChatMessage[] | undefined {
  const parent = parentId === null ? -1 : messages.findIndex(({ id }) => id === parentId);
  if (parentId !== null && parent === -1) return undefined;
  const next = messages[parent + 1];
  if (next !== undefined && next.id !== message?.id) return undefined;
  return [...messages.slice(0, parent + 1), ...(message === undefined ? [] : [message])];
}

/** The request for the next answer: the latest user message and what it follows. */
export function requestFor(
  chatId: string,
  messages: readonly ChatMessage[],
  resummarize: boolean,
): z.input<typeof chatRequestSchema> {
  const latest = messages.at(-1);
  if (resummarize || latest?.role !== 'user') {
    return { chatId, parentId: latest?.id ?? null, resummarize };
  }
  const { id, parts } = latest;
  const texts = parts.flatMap((part) =>
    part.type === 'text' ? { type: part.type, text: part.text } : [],
  );
  const parentId = messages.at(-2)?.id ?? null;
  return { chatId, parentId, message: { id, role: 'user', parts: texts } };
}
