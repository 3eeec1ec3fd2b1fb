import { z } from 'zod';
import type { ChatMessage } from './chat-message.ts';

const maxTextCharacters = 50_000;

/** Body that the page sends: never the history, which the server has, and never instructions. */
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
        parts: z
          .array(
            z.object({ type: z.literal('text'), text: z.string().min(1).max(maxTextCharacters) }),
          )
          .min(1),
      }),
    )
    .max(100),
  /** The command to summarize now, as it was typed: `/compact`, or `/compact keep the API design`. */
  compact: z.string().max(2000).default(''),
  /** Whether the messages are a new version of what follows the parent. */
  edit: z.boolean().default(false),
});

export type ChatRequest = z.infer<typeof chatRequestSchema>;

/**
 * The history that a request goes on with: for new messages the whole one, for an edited or
 * regenerated one the part before it. `undefined` if the history has gone on elsewhere, in another
 * window for example.
 */
export function continuedMessages(
  stored: readonly ChatMessage[],
  { parentId, messages, edit }: Pick<ChatRequest, 'parentId' | 'messages' | 'edit'>,
): ChatMessage[] | undefined {
  const parent = parentId === null ? -1 : stored.findIndex(({ id }) => id === parentId);
  if (parentId !== null && parent === -1) return undefined;
  const history = stored.slice(0, parent + 1);
  if (edit) return [...history, ...messages];
  const followers = stored.slice(parent + 1);

  const firstNew = messages.findIndex(({ id }, index) => id !== followers[index]?.id);
  if (messages.length > 0 && firstNew === -1) return [...history, ...messages];
  const known = messages.slice(0, firstNew);
  const unseen = followers.slice(known.length);
  // The page may have stopped the answer to its message before it saw anything of it.
  const isBehind = unseen.length > (unseen[0]?.role === 'assistant' ? 1 : 0);
  return isBehind ? undefined : [...history, ...known, ...unseen, ...messages.slice(known.length)];
}
