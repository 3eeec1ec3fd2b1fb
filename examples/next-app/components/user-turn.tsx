'use client';

import { Pencil } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { textOf, type ChatMessage } from '../lib/chat-message.ts';
import { buttons, field } from './styles.ts';
import type { Conversation } from './conversation.ts';
import { VersionSwitch } from './version-switch.tsx';

interface UserTurnProps {
  readonly message: ChatMessage;
  readonly conversation: Conversation;
}

/** Text of the user, which can be edited: the former version is kept. */
export function UserTurn({ message, conversation }: UserTurnProps): ReactNode {
  const text = textOf(message);
  const [draft, setDraft] = useState<string>();
  const editButton = useRef<HTMLButtonElement>(null);

  const close = (): void => {
    setDraft(undefined);
    // After the button is back on the page.
    requestAnimationFrame(() => editButton.current?.focus());
  };
  const save = (): void => {
    const edited = draft?.trim() ?? '';
    if (edited === '') return;
    close();
    if (edited !== text) conversation.edit(message.id, edited);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };

  if (draft === undefined) {
    return (
      <div data-turn="user" className="flex flex-col items-end gap-1">
        <p className="relative max-w-[85%] rounded-2xl rounded-ee-sm bg-muted px-3.5 py-2 text-sm whitespace-pre-wrap wrap-anywhere">
          <span className="sr-only">You: </span>
          {text}
        </p>
        <div className="flex items-center">
          <VersionSwitch conversation={conversation} messageId={message.id} />
          <button
            ref={editButton}
            type="button"
            className={buttons.icon}
            aria-label={`Edit: ${text}`}
            disabled={conversation.busy}
            onClick={() => setDraft(text)}
          >
            <Pencil aria-hidden className="size-3.5" />
          </button>
        </div>
      </div>
    );
  }
  return (
    <form
      data-turn="user"
      className="flex flex-wrap justify-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        aria-label="Edited message"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it takes the place of the button that was pressed.
        autoFocus
        rows={2}
        className={field}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className={buttons.plain} onClick={close}>
        Cancel
      </button>
      <button
        type="submit"
        className={buttons.primary}
        disabled={conversation.busy || draft.trim() === ''}
      >
        Send
      </button>
    </form>
  );
}
