'use client';

import { useChat } from '@ai-sdk/react';
import { APICallError, DefaultChatTransport } from 'ai';
import { useRouter } from 'next/navigation';
import { useEffect, useMemo, useRef, useState } from 'react';
import { recallWords, switchVersion, undoSummary } from '../app/actions.ts';
import { versionsOf } from '../lib/branches.ts';
import type { ChatMessage } from '../lib/chat-message.ts';
import type { Chat } from '../lib/chat-store.ts';
import { messageId } from '../lib/message-id.ts';
import { requestFor, type Wish } from '../lib/request-for.ts';
import type { Conversation, Findings } from './conversation.ts';

/** A chat as a page is given it: of its branches the ids. */
export interface PageChat extends Omit<Chat, 'branches'> {
  readonly branches: readonly (readonly string[])[];
}

const transport = new DefaultChatTransport<ChatMessage>({
  prepareSendMessagesRequest: ({ id, messages, body }) => ({
    body: requestFor(id, messages, {
      compact: String(body?.['compact'] ?? ''),
      edit: body?.['edit'] === true,
    }),
  }),
});

/** Keeps a conversation in step with the server, which has the history, and with other windows. */
export function useConversation(stored: PageChat): Conversation {
  const { id } = stored;
  const router = useRouter();
  const [draft, setDraft] = useState('');
  const [notice, setNotice] = useState<string>();
  const [findings, setFindings] = useState<Findings>();
  const [branches, setBranches] = useState(stored.branches);
  const sentText = useRef('');
  const hasFailed = useRef(false);
  const wish = useRef<Wish>({});
  const windows = useRef<BroadcastChannel>(undefined);

  const chat = useChat<ChatMessage>({
    id,
    messages: [...stored.messages],
    generateId: messageId,
    transport,
    onData: (part) => {
      if (part.type !== 'data-summarySkipped' || wish.current.compact === undefined) return;
      setNotice(skipNotice(part.data.reason));
    },
    onFinish: ({ messages, isError }) => {
      if (isError) return;
      windows.current?.postMessage('changed');
      if (wish.current.edit === true) void showStored();
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
    const latest: Pick<PageChat, 'messages' | 'branches'> = await response.json();
    setMessages([...latest.messages]);
    setBranches(latest.branches);
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

  const dismiss = (): void => {
    setNotice(undefined);
    setFindings(undefined);
  };
  const start = async (
    text: string,
    wanted: Wish,
    request: () => Promise<void>,
  ): Promise<boolean> => {
    sentText.current = text;
    hasFailed.current = false;
    wish.current = wanted;
    dismiss();
    await request();
    return !hasFailed.current;
  };
  /** Does what is no message, on the server, and shows what became of it. */
  const command = async (work: () => Promise<string | undefined>): Promise<void> => {
    dismiss();
    const told = await work().catch(() => 'The server cannot be reached.');
    await showStored();
    setNotice(told);
    windows.current?.postMessage('changed');
  };
  const versions = useMemo(
    () =>
      versionsOf(
        chat.messages.map((message) => message.id),
        branches,
      ),
    [chat.messages, branches],
  );
  return {
    messages: chat.messages,
    versions,
    busy,
    problem: error && problemOf(error),
    notice,
    findings,
    draft,
    setDraft,
    send: async (text) => start(text, {}, async () => chat.sendMessage({ text })),
    edit: (edited, text) => {
      const index = chat.messages.findIndex((message) => message.id === edited);
      setMessages(chat.messages.slice(0, index));
      const wanted = { edit: true };
      void start(text, wanted, async () => chat.sendMessage({ text }, { body: wanted }));
    },
    regenerate: () => void start('', { edit: true }, async () => chat.regenerate()),
    showVersion: (version) =>
      void command(async () => {
        await switchVersion(id, version);
        return undefined;
      }),
    compact: (typed) => {
      const wanted = { compact: typed };
      void start('', wanted, async () => chat.sendMessage(undefined, { body: wanted }));
    },
    undo: () =>
      void command(async () => {
        const count = await undoSummary(id);
        return count === undefined
          ? 'There is no summary that can be taken back.'
          : `The summary of ${count} messages is taken back: from now on they are sent again.`;
      }),
    recall: (words) =>
      void command(async () => {
        setFindings({ words, passages: await recallWords(id, words) });
        return undefined;
      }),
    dismiss,
    stop: () => void chat.stop(),
  };
}

/** The server words its errors for people; a browser that cannot reach it does not. */
function problemOf(error: Error): string {
  return error instanceof TypeError ? 'The server cannot be reached.' : error.message;
}

function skipNotice(reason: string): string {
  if (reason === 'nothing-to-cover') return 'There is nothing yet that a summary would shorten.';
  if (reason === 'no-strategy') return 'Summaries are switched off for this chat: see Settings.';
  return `No summary was made: ${reason}.`;
}
