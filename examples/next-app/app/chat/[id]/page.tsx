import { generateId } from 'ai';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { ChatList } from '../../../components/chat-list.tsx';
import { ChatView } from '../../../components/chat-view.tsx';
import { isChatId, listChats, loadChat } from '../../../lib/chat-store.ts';
import { currentProvider } from '../../../lib/provider.ts';

interface ChatPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** One conversation, with the list of the others beside it. */
export default async function ChatPage({ params }: ChatPageProps): Promise<ReactNode> {
  const { id } = await params;
  if (!isChatId(id)) notFound();
  const [chat, chats] = await Promise.all([loadChat(id), listChats()]);
  return (
    <div className="app">
      <ChatList chats={chats} currentId={id} newId={generateId()} />
      <ChatView key={id} chat={chat} providerName={currentProvider().name} />
    </div>
  );
}
