'use client';

import { useSummarization } from 'ai-sdk-summarization/react';
import dynamic from 'next/dynamic';
import { useState, type ReactNode } from 'react';
import type { ChatEntry } from '../lib/chat-store.ts';
import type { ModelEntry } from '../lib/models.ts';
import type { SideBySide } from '../lib/side-by-side.ts';
import { Announcer } from './announcer.tsx';
import { ChatHeader } from './chat-header.tsx';
import { Composer } from './composer.tsx';
import { ContextPanel } from './context-panel.tsx';
import { FirstScreen } from './first-screen.tsx';
import { Sidebar } from './sidebar.tsx';
import { useConversation, type PageChat } from './use-conversation.ts';
import { usePlayback } from './use-playback.ts';

// Not needed before there is a message.
const Transcript = dynamic(async () => (await import('./transcript.tsx')).Transcript, {
  loading: () => <div className="flex-1" />,
});

/** Abilities of the offline model, as messages. */
const whatItCan = [
  'What do you remember?',
  'What does the README say about `redact`?',
  'What time is it in Tokyo?',
];

interface ChatAppProps {
  readonly chat: PageChat;
  readonly chats: readonly ChatEntry[];
  /** Name of the next new chat. */
  readonly newId: string;
  readonly models: readonly ModelEntry[];
  /** Contents of the first screen. */
  readonly demonstration: SideBySide | undefined;
}

/** The whole page: the list of chats, one conversation, and what its calls cost. */
export function ChatApp({ chat, chats, newId, models, demonstration }: ChatAppProps): ReactNode {
  const [settings, setSettings] = useState(chat.settings);
  const conversation = useConversation(chat);
  const playback = usePlayback(conversation);
  const { messages, busy } = conversation;
  const summarization = useSummarization(messages, { isStreaming: busy });
  const hasBegun = messages.length > 0;
  const isOffline = (settings.model || models[0]?.id) === 'embedded';
  const isQuiet = playback.sent === undefined;

  return (
    <div className="flex h-dvh">
      <Sidebar chats={chats} currentId={chat.id} newId={newId} />
      <main className="relative flex min-w-0 flex-1 flex-col">
        <ChatHeader
          chatId={chat.id}
          models={models}
          usage={summarization.usage}
          settings={settings}
          onSettings={setSettings}
          hasPanel={hasBegun}
        />
        {hasBegun ? (
          <Transcript
            conversation={conversation}
            summarization={summarization}
            suggestions={isOffline && isQuiet ? whatItCan : []}
          />
        ) : (
          demonstration && (
            <FirstScreen
              demonstration={demonstration}
              onSend={(text) => void conversation.send(text)}
              onPlay={playback.start}
            />
          )
        )}
        <Composer conversation={conversation} playback={playback} />
        <Announcer messages={messages} busy={busy} />
      </main>
      {hasBegun && <ContextPanel summarization={summarization} settings={settings} />}
    </div>
  );
}
