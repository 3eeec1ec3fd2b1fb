'use client';

import { useRef, type KeyboardEvent, type ReactNode } from 'react';
import type { Conversation } from './use-conversation.ts';
import type { Playback } from './use-playback.ts';

interface ComposerProps {
  readonly conversation: Conversation;
  readonly playback: Playback;
}

/** Where messages and commands are written. */
export function Composer({ conversation, playback }: ComposerProps): ReactNode {
  const { draft, setDraft, busy, messages } = conversation;
  const form = useRef<HTMLFormElement>(null);
  const playing = playback.sent !== undefined;
  const canSummarize = !busy && messages.at(-1)?.role === 'assistant';

  const submit = (): void => {
    const text = draft.trim();
    if (busy || text === '') return;
    setDraft('');
    if (text === '/resummarize') conversation.resummarize();
    else void conversation.send(text);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a word is being composed, Enter belongs to the input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    form.current?.requestSubmit();
  };
  const stop = (): void => {
    playback.stop();
    conversation.stop();
  };

  return (
    <form
      ref={form}
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label htmlFor="message" className="visually-hidden">
        Message
      </label>
      <textarea
        id="message"
        rows={1}
        value={draft}
        placeholder="Message, or /resummarize"
        aria-describedby="message-help"
        onChange={(event) => setDraft(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {busy || playing ? (
        <button type="button" className="button primary" onClick={stop}>
          Stop
        </button>
      ) : (
        <button type="submit" className="button primary" disabled={draft.trim() === ''}>
          Send
        </button>
      )}
      <div className="composer-foot">
        <span id="message-help">
          {playing
            ? `Sample conversation: message ${playback.sent} of ${playback.total}`
            : (conversation.notice ?? 'Enter sends, Shift + Enter starts a new line')}
        </span>
        <button
          type="button"
          className="button quiet"
          disabled={!canSummarize}
          onClick={conversation.resummarize}
        >
          Summarise now
        </button>
      </div>
    </form>
  );
}
