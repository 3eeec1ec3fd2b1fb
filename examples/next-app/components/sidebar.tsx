'use client';

import { Pencil, Plus, Trash2 } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useState, type ReactNode } from 'react';
import { deleteChat, renameChat } from '../app/actions.ts';
import type { ChatEntry } from '../lib/chat-store.ts';
import { buttons, field } from './styles.ts';

interface SidebarProps {
  readonly chats: readonly ChatEntry[];
  readonly currentId: string;
  readonly newId: string;
}

/** The conversations. On narrow screens it opens from the header. */
export function Sidebar({ chats, currentId, newId }: SidebarProps): ReactNode {
  return (
    <nav
      id="chats"
      popover="auto"
      aria-label="Conversations"
      className="inset-auto m-0 hidden h-dvh w-64 max-w-[85vw] flex-col gap-3 border-0 border-e bg-sidebar p-3 text-foreground backdrop:bg-black/40 lg:static lg:flex [&:popover-open]:fixed [&:popover-open]:start-0 [&:popover-open]:top-0 [&:popover-open]:flex"
    >
      <Link href={`/chat/${newId}`} className={buttons.plain} prefetch={false}>
        <Plus aria-hidden className="size-4" /> New conversation
      </Link>
      <ul className="min-h-0 flex-1 space-y-0.5 overflow-y-auto">
        {chats.map((chat) => (
          <Entry key={chat.id} chat={chat} isCurrent={chat.id === currentId} newId={newId} />
        ))}
      </ul>
    </nav>
  );
}

interface EntryProps {
  readonly chat: ChatEntry;
  readonly isCurrent: boolean;
  readonly newId: string;
}

function Entry({ chat: { id, title }, isCurrent, newId }: EntryProps): ReactNode {
  const router = useRouter();
  const [isRenaming, setIsRenaming] = useState(false);
  const rename = async (form: FormData): Promise<void> => {
    setIsRenaming(false);
    const name = form.get('title');
    await renameChat(id, typeof name === 'string' ? name : '');
    router.refresh();
  };
  const remove = async (): Promise<void> => {
    // oxlint-disable-next-line no-alert -- the one question that nothing can be asked beside.
    if (!confirm(`Delete “${title}” and all that is remembered of it?`)) return;
    await deleteChat(id);
    if (isCurrent) router.push(`/chat/${newId}`);
    else router.refresh();
  };

  if (isRenaming) {
    return (
      <li>
        <form action={rename}>
          <input
            name="title"
            aria-label="New name"
            defaultValue={title}
            maxLength={80}
            className={field}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed.
            autoFocus
            onKeyDown={(event) => event.key === 'Escape' && setIsRenaming(false)}
          />
        </form>
      </li>
    );
  }
  return (
    <li
      className={`group flex items-center rounded-md ${isCurrent ? 'bg-muted' : 'hover:bg-muted/60'}`}
    >
      <Link
        href={`/chat/${id}`}
        aria-current={isCurrent ? 'page' : undefined}
        prefetch={false}
        className="min-w-0 flex-1 truncate px-2 py-1.5 text-sm"
      >
        {title}
      </Link>
      <span
        className={
          isCurrent
            ? 'flex'
            : 'flex w-0 overflow-hidden group-focus-within:w-auto group-hover:w-auto'
        }
      >
        <button
          type="button"
          className={buttons.icon}
          aria-label={`Rename ${title}`}
          onClick={() => setIsRenaming(true)}
        >
          <Pencil aria-hidden className="size-3.5" />
        </button>
        <button
          type="button"
          className={buttons.icon}
          aria-label={`Delete ${title}`}
          onClick={() => void remove()}
        >
          <Trash2 aria-hidden className="size-3.5" />
        </button>
      </span>
    </li>
  );
}
