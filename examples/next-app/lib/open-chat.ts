import { branchesAfter } from './branches.ts';
import type { ChatMessage } from './chat-message.ts';
import { chatRequestSchema, continuedMessages } from './chat-request.ts';
import { isChatId } from './chat-id.ts';
import { updateChat, type Chat } from './chat-store.ts';
import { takeTurn } from './chat-turns.ts';

/** A conversation that is ready for its next answer, or why it is not. */
export type OpenedChat =
  | {
      readonly ok: true;
      readonly chat: Chat;
      readonly messages: ChatMessage[];
      readonly compact: string;
      /** Stores the conversation with its answer, and lets the next request go on from there. */
      readonly close: (messages: readonly ChatMessage[]) => void;
    }
  | { readonly ok: false; readonly status: number; readonly problem: string };

const maxMessages = 1_000;

/**
 * Checks what the page sent and puts it into the stored conversation, so that no message is lost when
 * the answer fails.
 */
export async function openChat(owner: string, body: unknown): Promise<OpenedChat> {
  const request = chatRequestSchema.safeParse(body).data;
  if (request === undefined || !isChatId(request.chatId)) {
    return { ok: false, status: 400, problem: 'The request is malformed.' };
  }
  const key = { id: request.chatId, owner };
  const endTurn = await takeTurn(request.chatId);
  try {
    let messages: ChatMessage[] | undefined;
    const chat = updateChat(key, (stored) => {
      messages = continuedMessages(stored.messages, request);
      if (messages === undefined || messages.length > maxMessages) return {};
      return { messages, branches: branchesAfter(stored, messages) };
    });
    if (chat !== undefined && messages !== undefined && messages.length <= maxMessages) {
      const close = (answered: readonly ChatMessage[]): void => {
        try {
          const kept = answered.map(withoutBlankTexts);
          updateChat(key, () => ({ messages: kept }));
        } finally {
          endTurn();
        }
      };
      return { ok: true, chat, messages, compact: request.compact, close };
    }
    endTurn();
    return refusal(chat, messages);
  } catch (error) {
    endTurn();
    throw error;
  }
}

function refusal(
  chat: Chat | undefined,
  messages: readonly ChatMessage[] | undefined,
): OpenedChat & { readonly ok: false } {
  if (chat === undefined) return { ok: false, status: 404, problem: 'There is no such chat.' };
  return messages === undefined
    ? { ok: false, status: 409, problem: 'This conversation went on in another window.' }
    : { ok: false, status: 413, problem: 'This conversation is full. Begin a new one.' };
}

/** Providers reject a blank text: what is left of an answer that was stopped before its first word. */
function withoutBlankTexts(message: ChatMessage): ChatMessage {
  const parts = message.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return { ...message, parts };
}
