'use client';

import { ArrowUp, Square, X } from 'lucide-react';
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { CommandMenu, matchingCommands, type Command } from './command-menu.tsx';
import { buttons } from './styles.ts';
import type { Conversation } from './conversation.ts';
import type { Playback } from './use-playback.ts';

interface ComposerProps {
  readonly conversation: Conversation;
  readonly playback: Playback;
}

/** Where messages and commands are written. Messages of commands are above it. */
export function Composer({ conversation, playback }: ComposerProps): ReactNode {
  const { draft, setDraft, busy } = conversation;
  const form = useRef<HTMLFormElement>(null);
  const [chosen, setChosen] = useState(0);
  const isPlaying = playback.sent !== undefined;
  const commands = matchingCommands(draft);
  const command = commands[Math.min(chosen, commands.length - 1)];

  const submit = (): void => {
    const text = draft.trim();
    if (busy || text === '') return;
    setDraft('');
    const [name, ...words] = text.split(/\s+/);
    if (name === '/compact') conversation.compact(text);
    else if (name === '/undo') conversation.undo();
    else if (name === '/recall') conversation.recall(words.join(' '));
    else void conversation.send(text);
  };
  const pick = ({ name, takesWords }: Command): void => {
    setDraft(takesWords ? `${name} ` : name);
    setChosen(0);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // While a word is being composed, Enter belongs to the input method.
    if (event.nativeEvent.isComposing) return;
    if (command !== undefined && event.key.startsWith('Arrow')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : commands.length - 1;
      setChosen((commands.indexOf(command) + step) % commands.length);
    } else if (command !== undefined && event.key === 'Escape') setDraft('');
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      if (command !== undefined && command.name !== draft.trim()) pick(command);
      else form.current?.requestSubmit();
    } else if (event.key === 'Tab' && command !== undefined && command.name !== draft) {
      event.preventDefault();
      pick(command);
    }
  };
  const stop = (): void => {
    playback.stop();
    conversation.stop();
  };

  return (
    <form
      ref={form}
      className="relative mx-auto w-full max-w-3xl px-3 pb-2 sm:px-6"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Notices conversation={conversation} />
      {commands.length > 0 && <CommandMenu commands={commands} chosen={command} onPick={pick} />}
      <div className="flex items-end gap-2 rounded-2xl border border-input bg-card p-2 shadow-sm focus-within:border-ring">
        <textarea
          id="message"
          aria-label="Message"
          rows={1}
          value={draft}
          placeholder="Message, or / for commands"
          aria-describedby="message-help"
          aria-autocomplete="list"
          aria-controls={commands.length > 0 ? 'commands' : undefined}
          aria-activedescendant={command && `command-${command.name.slice(1)}`}
          className="field-sizing-content max-h-40 min-h-9 flex-1 resize-none bg-transparent px-1.5 py-1.5 text-sm outline-none placeholder:text-muted-foreground"
          onFocus={preloadTranscript}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {busy || isPlaying ? (
          <button
            type="button"
            className={`${buttons.primary} w-9 px-0`}
            aria-label="Stop"
            onClick={stop}
          >
            <Square aria-hidden className="size-4" />
          </button>
        ) : (
          <button
            type="submit"
            className={`${buttons.primary} w-9 px-0`}
            aria-label="Send"
            disabled={draft.trim() === ''}
          >
            <ArrowUp aria-hidden className="size-4" />
          </button>
        )}
      </div>
      <p id="message-help" className="pt-1 text-center text-xs text-muted-foreground">
        {isPlaying
          ? `Sample conversation: message ${playback.sent} of ${playback.total}`
          : 'Enter sends, Shift + Enter starts a new line'}
      </p>
    </form>
  );
}

/** Code that shows the first answer is loaded before it comes. */
function preloadTranscript(): void {
  void Promise.all([import('./transcript.tsx'), import('./markdown.tsx')]);
}

/** Results of commands, which are not part of the conversation. */
function Notices({
  conversation: { notice, findings, dismiss },
}: Pick<ComposerProps, 'conversation'>): ReactNode {
  if (notice === undefined && findings === undefined) return null;
  return (
    <section
      aria-label="Notice"
      className="mb-2 flex gap-2 rounded-lg border bg-card px-3 py-2 text-sm"
    >
      <div role="status" className="max-h-60 min-w-0 flex-1 space-y-2 overflow-y-auto">
        {notice !== undefined && <p>{notice}</p>}
        {findings?.passages.length === 0 && (
          <p>Nothing that was summarized speaks of “{findings.words}”.</p>
        )}
        {findings?.passages.map(({ role, text }, index) => (
          <blockquote key={index} className="border-s-2 ps-2 whitespace-pre-wrap wrap-anywhere">
            <b className="font-medium">{role === 'user' ? 'You' : role}:</b> {text}
          </blockquote>
        ))}
      </div>
      <button type="button" className={buttons.icon} aria-label="Close" onClick={dismiss}>
        <X aria-hidden className="size-4" />
      </button>
    </section>
  );
}
