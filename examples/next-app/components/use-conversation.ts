'use client';

import { useChat } from '@ai-sdk/react';
import { APICallError, DefaultChatTransport } from 'ai';
import { useRouter } from 'next/navigation';
import { useEffect, useRef, useState } from 'react';
import type { ChatMessage } from '../lib/chat-message.ts';
import { requestFor } from '../lib/chat-request.ts';
import type { Chat } from '../lib/chat-store.ts';

/** A conversation as the page works with it. */
export interface Conversation {
  readonly messages: readonly ChatMessage[];
  readonly busy: boolean;
  /** What went wrong with the latest request. */
  readonly problem: string | undefined;
  /** What the user should know that is not part of the conversation. */
  readonly notice: string | undefined;
  /** What stands in the box for the next message. */
  readonly draft: string;
  readonly setDraft: (draft: string) => void;
  /** Resolves when it is answered, to whether that went well. */
  readonly send: (text: string) => Promise<boolean>;
  readonly edit: (messageId: string, text: string) => void;
  /** Answers the latest user message again. */
  readonly regenerate: () => void;
  /** Summarises now, without asking for an answer. */
  readonly resummarize: () => void;
  readonly stop: () => void;
}

const transport = new DefaultChatTransport<ChatMessage>({
  prepareSendMessagesRequest: ({ id, messages, body }) => ({
    body: requestFor(id, messages, body?.['resummarize'] === true),
  }),
});

/** Keeps a conversation in step with the server, which has the history, and with other windows. */
export function useConversation({ id, messages: stored }: Chat): Conversation {
  const router = useRouter();
  const [draft, setDraft] = useState('');
  const [notice, setNotice] = useState<string>();
  const sentText = useRef('');
  const hasFailed = useRef(false);
  const windows = useRef<BroadcastChannel>(undefined);

  const chat = useChat<ChatMessage>({
    id,
    messages: [...stored],
    transport,
    onData: (part) => {
      if (part.type === 'data-notice') setNotice(part.data);
    },
    onFinish: ({ messages, isError }) => {
      if (isError) return;
      windows.current?.postMessage('changed');
      // A conversation that begins comes into the list of conversations.
      if (messages.length <= 2) router.refresh();
    },
    onError: (error) => {
      hasFailed.current = true;
      // Another window was faster: show what it did, and give the text back.
      if (!APICallError.isInstance(error) || error.statusCode !== 409) return;
      setDraft(sentText.current);
      void showStored();
    },
  });
  const { setMessages, status, error } = chat;
  const busy = status === 'submitted' || status === 'streaming';

  const showStored = async (): Promise<void> => {
    const response = await fetch(`/api/chat/${id}`).catch(() => undefined);
    if (!response?.ok) return;
    const latest: Pick<Chat, 'messages'> = await response.json();
    setMessages([...latest.messages]);
  };

  useEffect(() => {
    const channel = new BroadcastChannel(`chat ${id}`);
    windows.current = channel;
    return () => channel.close();
  }, [id]);

  useEffect(() => {
    const channel = windows.current;
    if (busy || channel === undefined) return undefined;
    const listener = (): void => void showStored();
    channel.addEventListener('message', listener);
    return () => channel.removeEventListener('message', listener);
  });

  const start = async (text: string, request: () => Promise<void>): Promise<boolean> => {
    sentText.current = text;
    hasFailed.current = false;
    setNotice(undefined);
    await request();
    return !hasFailed.current;
  };
  return {
    messages: chat.messages,
    busy,
    problem: error && problemOf(error),
    notice,
    draft,
    setDraft,
    send: async (text) => start(text, async () => chat.sendMessage({ text })),
    edit: (messageId, text) => void start(text, async () => chat.sendMessage({ text, messageId })),
    regenerate: () => void start('', async () => chat.regenerate()),
    resummarize: () =>
      void start('', async () => chat.sendMessage(undefined, { body: { resummarize: true } })),
    stop: () => void chat.stop(),
  };
}

/** The server words its errors for people; a browser that cannot reach it does not. */
function problemOf(error: Error): string {
  return error instanceof TypeError ? 'The server cannot be reached.' : error.message;
}
