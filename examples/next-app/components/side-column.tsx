'use client';

import { ContextMeter } from 'ai-sdk-summarization/react';
import { BookMarked, CircleX } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import type { SideAnswer, SideBySideTurn } from '../lib/side-by-side.ts';

interface SideColumnProps {
  readonly title: string;
  readonly side: 'without' | 'with';
  readonly turns: readonly SideBySideTurn[];
  readonly contextLength: number;
}

/** One of the two ways in which a conversation goes. Its size is fixed, so that nothing moves while it plays. */
export function SideColumn({ title, side, turns, contextLength }: SideColumnProps): ReactNode {
  const list = useRef<HTMLOListElement>(null);
  const latest = turns.at(-1)?.[side];
  const isRefused = latest?.isRefused === true;
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- that there is another is all that matters.
  }, [turns.length]);
  return (
    <section
      aria-label={title}
      className={`flex min-w-0 flex-col gap-2 rounded-xl border bg-card p-3 ${isRefused ? 'border-destructive' : ''}`}
    >
      <div className="flex items-baseline gap-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <span
          className={`ms-auto text-xs font-medium ${isRefused ? 'text-destructive' : 'text-primary'}`}
        >
          {isRefused ? 'the provider refuses' : 'answers'}
        </span>
      </div>
      <ContextMeter
        usedTokens={latest?.tokens ?? 0}
        maxTokens={contextLength}
        labels={{ context: `Context, ${title.toLowerCase()}` }}
        className={`space-y-1 text-xs text-muted-foreground tabular-nums ${isRefused ? '[&_[data-slot=context-meter-bar]]:bg-destructive' : ''}`}
      />
      <ol
        ref={list}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable.
        tabIndex={0}
        aria-label={`Messages, ${title.toLowerCase()}`}
        className="h-32 space-y-2 overflow-y-auto text-xs sm:h-44 md:h-[clamp(13rem,42vh,30rem)]"
      >
        {turns.map((turn) => (
          <li key={turn.question} className="space-y-1.5">
            <p className="ms-auto w-fit max-w-[90%] rounded-xl rounded-ee-sm bg-muted px-2.5 py-1.5 wrap-anywhere">
              {turn.question}
            </p>
            <Answer {...turn[side]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Answer({ text, isRefused, summarized }: SideAnswer): ReactNode {
  if (isRefused) {
    return (
      <p className="flex gap-1.5 rounded-lg border border-destructive/50 bg-destructive-soft px-2.5 py-1.5 text-destructive wrap-anywhere">
        <CircleX aria-hidden className="mt-px size-3.5 shrink-0" />
        <span>
          <b className="font-semibold">context_length_exceeded</b> {text}
        </span>
      </p>
    );
  }
  return (
    <>
      {summarized !== undefined && (
        <p className="flex items-center gap-1.5 rounded-lg border border-summary/40 bg-summary-soft px-2.5 py-1.5 font-medium">
          <BookMarked aria-hidden className="size-3.5 text-summary" />
          {summarized} messages are now summarized
        </p>
      )}
      <p className="line-clamp-3 px-1 whitespace-pre-line wrap-anywhere">
        {text.replaceAll('`', '')}
      </p>
    </>
  );
}
