import Link from 'next/link';
import type { ReactNode } from 'react';
import type { ChatEntry } from '../lib/chat-store.ts';

interface ChatListProps {
  readonly chats: readonly ChatEntry[];
  readonly currentId: string;
  /** What the next new chat will be called. */
  readonly newId: string;
}

/** The conversations, side by side. On a phone it opens from the header. */
export function ChatList({ chats, currentId, newId }: ChatListProps): ReactNode {
  return (
    <nav id="chats" className="chats" aria-label="Conversations" popover="auto">
      <Link href={`/chat/${newId}`} className="button" prefetch={false}>
        New conversation
      </Link>
      <ul>
        {chats.map(({ id, title }) => (
          <li key={id}>
            <Link
              href={`/chat/${id}`}
              aria-current={id === currentId ? 'page' : undefined}
              prefetch={false}
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
