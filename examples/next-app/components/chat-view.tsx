'use client';

import { useState, type ReactNode } from 'react';
import type { CallReading, ChatMessage } from '../lib/chat-message.ts';
import type { Chat } from '../lib/chat-store.ts';
import { Announcer } from './announcer.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Composer } from './composer.tsx';
import { ContextPanel } from './context-panel.tsx';
import { EmptyChat } from './empty-chat.tsx';
import { Transcript } from './transcript.tsx';
import { useConversation } from './use-conversation.ts';
import { usePlayback } from './use-playback.ts';

interface ChatViewProps {
  readonly chat: Chat;
  readonly providerName: string;
}

/** One conversation: its header, transcript, composer, and what its calls cost. */
export function ChatView({ chat, providerName }: ChatViewProps): ReactNode {
  const [settings, setSettings] = useState(chat.settings);
  const conversation = useConversation(chat);
  const playback = usePlayback(conversation);
  const { messages } = conversation;
  const calls = messages.flatMap(({ metadata }): readonly CallReading[] => metadata?.calls ?? []);

  return (
    <>
      <main className="chat">
        <ChatHeader
          chatId={chat.id}
          providerName={providerName}
          latestCall={calls.at(-1)}
          settings={settings}
          onSettings={setSettings}
        />
        {messages.length === 0 ? (
          <EmptyChat onSend={(text) => void conversation.send(text)} onPlay={playback.start} />
        ) : (
          <Transcript conversation={conversation} />
        )}
        <Composer conversation={conversation} playback={playback} />
        <Announcer messages={messages} busy={conversation.busy} />
      </main>
      <ContextPanel
        calls={calls}
        summarizerTokens={summarizerTokensOf(messages)}
        settings={settings}
      />
    </>
  );
}

function summarizerTokensOf(messages: readonly ChatMessage[]): number {
  const notes = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'data-summary' ? part.data : [])),
  );
  return notes.reduce((sum, note) => sum + (note.state === 'done' ? note.summarizerTokens : 0), 0);
}
