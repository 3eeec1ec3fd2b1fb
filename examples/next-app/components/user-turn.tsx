'use client';

import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { textOf, type ChatMessage } from '../lib/chat-message.ts';
import { PlainText } from './plain-text.tsx';

interface UserTurnProps {
  readonly message: ChatMessage;
  readonly disabled: boolean;
  /** Replaces this message; what followed it is dropped. */
  readonly onEdit: (text: string) => void;
}

/** What the user said, which can be said differently. */
export function UserTurn({ message, disabled, onEdit }: UserTurnProps): ReactNode {
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
    if (edited !== text) onEdit(edited);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    save();
  };

  if (draft === undefined) {
    return (
      <div className="turn user">
        <span className="visually-hidden">You:</span>
        <PlainText text={text} />
        <button
          ref={editButton}
          type="button"
          className="button quiet"
          aria-label={`Edit: ${text}`}
          disabled={disabled}
          onClick={() => setDraft(text)}
        >
          Edit
        </button>
      </div>
    );
  }
  return (
    <form
      className="turn user editing"
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
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="button" className="button" onClick={close}>
        Cancel
      </button>
      <button type="submit" className="button primary" disabled={disabled || draft.trim() === ''}>
        Send
      </button>
    </form>
  );
}
