import type { ChatMessage } from './chat-message.ts';
import { chatRequestSchema, continuedMessages } from './chat-request.ts';
import { isChatId, updateChat, type Chat } from './chat-store.ts';
import { takeTurn } from './chat-turns.ts';

/** A conversation that is ready for its next answer, or why it is not. */
export type OpenedChat =
  | {
      readonly ok: true;
      readonly chat: Chat;
      readonly messages: ChatMessage[];
      readonly resummarize: boolean;
      /** Stores the conversation with its answer, and lets the next request go on from there. */
      readonly close: (messages: readonly ChatMessage[]) => Promise<void>;
    }
  | { readonly ok: false; readonly status: 400 | 409; readonly problem: string };

/**
 * Checks what the page sent and puts it into the stored conversation, so that no message is lost when
 * the answer fails.
 */
export async function openChat(body: unknown): Promise<OpenedChat> {
  const request = chatRequestSchema.safeParse(body).data;
  if (request === undefined || !isChatId(request.chatId)) {
    return { ok: false, status: 400, problem: 'The request is malformed.' };
  }
  const endTurn = await takeTurn(request.chatId);
  let messages: ChatMessage[] | undefined;
  const chat = await updateChat(request.chatId, (stored) => {
    messages = continuedMessages(stored.messages, request);
    return messages === undefined ? {} : { messages };
  }).catch((error: unknown) => {
    endTurn();
    throw error;
  });
  if (messages === undefined) {
    endTurn();
    return { ok: false, status: 409, problem: 'This conversation went on in another window.' };
  }
  return {
    ok: true,
    chat,
    messages,
    resummarize: request.resummarize,
    close: async (answered) => {
      const kept = answered.map(withoutBlankTexts);
      await updateChat(chat.id, () => ({ messages: kept })).finally(endTurn);
    },
  };
}

/** Providers reject a blank text: what is left of an answer that was stopped before its first word. */
function withoutBlankTexts(message: ChatMessage): ChatMessage {
  const parts = message.parts.filter((part) => part.type !== 'text' || part.text.trim() !== '');
  return { ...message, parts };
}
