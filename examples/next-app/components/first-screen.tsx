'use client';

import { Pause, Play, RotateCcw } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format-count.ts';
import { sampleConversation } from '../lib/sample-conversation.ts';
import type { SideBySide } from '../lib/side-by-side.ts';
import { SideColumn } from './side-column.tsx';
import { buttons } from './styles.ts';
import { Suggestions } from './suggestions.tsx';
import { useSideBySidePlay, type SideBySidePlay } from './use-side-by-side-play.ts';

interface FirstScreenProps {
  readonly demonstration: SideBySide;
  readonly onSend: (text: string) => void;
  readonly onPlay: () => void;
}

const suggestions = [
  'Hello',
  'My name is Noor, and I never eat nuts.',
  'What time is it in Tokyo?',
];

/** Demonstration in place of the transcript: the same conversation with and without the package, playing by itself. */
export function FirstScreen({ demonstration, onSend, onPlay }: FirstScreenProps): ReactNode {
  const { turns, contextLength, conversationTokens, savedShare } = demonstration;
  const play = useSideBySidePlay(turns.length);
  const shown = turns.slice(0, play.shown);
  return (
    <section
      aria-label="About this app"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable.
      tabIndex={0}
      className="relative min-h-0 flex-1 overflow-y-auto"
    >
      <div className="mx-auto flex max-w-5xl flex-col gap-3 px-3 py-3 sm:gap-4 sm:px-6 sm:py-5">
        <div className="text-center text-balance">
          <h2 className="text-xl font-semibold tracking-tight sm:text-3xl">
            <span className="text-primary tabular-nums">
              {formatCount(conversationTokens)} tokens
            </span>{' '}
            of conversation in a window of{' '}
            <span className="tabular-nums">{formatCount(contextLength)}</span>
          </h2>
          <p className="mt-1.5 text-xs text-muted-foreground sm:text-sm">
            The middleware summarizes older messages before the limit.{' '}
            <b className="font-semibold text-foreground">
              {Math.round(savedShare * 100)} % fewer tokens
            </b>{' '}
            than the whole history would take, the summaries included.
          </p>
        </div>
        <div className="flex flex-wrap items-center justify-center gap-2">
          <span className="text-sm text-muted-foreground max-sm:w-full max-sm:text-center">
            Try it below, or
          </span>
          <button type="button" className={buttons.plain} onClick={onPlay}>
            Play a sample conversation of {sampleConversation.length} messages
          </button>
          <Suggestions texts={suggestions} onSend={onSend} />
        </div>
        <div className="grid gap-3 md:grid-cols-2" aria-label="The same conversation, twice">
          <SideColumn title="Without" side="without" turns={shown} contextLength={contextLength} />
          <SideColumn
            title="With ai-sdk-summarization"
            side="with"
            turns={shown}
            contextLength={contextLength}
          />
        </div>
        <PlayButton play={play} total={turns.length} />
      </div>
    </section>
  );
}

function PlayButton({
  play,
  total,
}: {
  readonly play: SideBySidePlay;
  readonly total: number;
}): ReactNode {
  const [label, Icon] = play.isOver
    ? ['Play again', RotateCcw]
    : play.isPlaying
      ? ['Pause', Pause]
      : ['Go on', Play];
  return (
    <div className="flex items-center justify-center gap-3 text-xs text-muted-foreground tabular-nums">
      <button type="button" className={`${buttons.quiet} w-28`} onClick={play.toggle}>
        <Icon aria-hidden className="size-4" /> {label}
      </button>
      <span>
        Message {play.shown} of {total}
      </span>
    </div>
  );
}
