import { cookies } from 'next/headers';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { ChatApp } from '../../../components/chat-app.tsx';
import { isChatId, newChatId } from '../../../lib/chat-id.ts';
import { listChats, loadChat } from '../../../lib/chat-store.ts';
import { listModels } from '../../../lib/models.ts';
import { ownerCookie, ownerOf } from '../../../lib/owner.ts';
import { sideBySide } from '../../../lib/side-by-side.ts';

interface ChatPageProps {
  readonly params: Promise<{ readonly id: string }>;
}

/** One conversation, with the list of the others beside it. */
export default async function ChatPage({ params }: ChatPageProps): Promise<ReactNode> {
  const { id } = await params;
  const owner = ownerOf((await cookies()).get(ownerCookie)?.value);
  const chat = isChatId(id) && owner !== undefined ? loadChat({ id, owner }) : undefined;
  if (chat === undefined || owner === undefined) notFound();
  const branches = chat.branches.map((branch) => branch.map((message) => message.id));
  return (
    <ChatApp
      key={id}
      chat={{ ...chat, branches }}
      chats={listChats(owner)}
      newId={newChatId()}
      models={listModels()}
      demonstration={chat.messages.length === 0 ? await sideBySide() : undefined}
    />
  );
}
