'use client';

import { useEffect, useState, useSyncExternalStore } from 'react';

/** How far a conversation has been played. */
export interface SideBySidePlay {
  /** Turns that are shown. */
  readonly shown: number;
  readonly isPlaying: boolean;
  readonly isOver: boolean;
  /** Pauses, goes on, or plays it once more. */
  readonly toggle: () => void;
}

/** Milliseconds that each turn is shown before the next. */
const pace = 600;

/** Plays turns one after the other, by itself; all at once for people who prefer reduced motion. */
export function useSideBySidePlay(total: number): SideBySidePlay {
  const isStill = useSyncExternalStore(subscribeToMotion, prefersStillness, () => false);
  // Nothing is chosen until a button is pressed.
  const [chosen, setChosen] = useState<boolean>();
  const [played, setPlayed] = useState(1);
  const shown = isStill && chosen === undefined ? total : played;
  const isOver = shown >= total;
  const isPlaying = (chosen ?? !isStill) && !isOver;

  useEffect(() => {
    if (!isPlaying) return undefined;
    const timer = setTimeout(() => setPlayed(played + 1), pace);
    return () => clearTimeout(timer);
  }, [isPlaying, played]);

  return {
    shown,
    isPlaying,
    isOver,
    toggle: () => {
      if (isOver) setPlayed(1);
      setChosen(isOver || !isPlaying);
    },
  };
}

const motionQuery = '(prefers-reduced-motion: reduce)';

function prefersStillness(): boolean {
  return matchMedia(motionQuery).matches;
}

function subscribeToMotion(listener: () => void): () => void {
  const query = matchMedia(motionQuery);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
