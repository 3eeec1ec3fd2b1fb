'use client';

import { useEffect, useState } from 'react';
import { sampleConversation } from '../lib/sample-conversation.ts';
import type { Conversation } from './use-conversation.ts';

/** The sample conversation, as it is being played. */
export interface Playback {
  /** Messages that were sent; `undefined` while nothing is played. */
  readonly sent: number | undefined;
  readonly total: number;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Sends the messages of the sample conversation one after the other, each when the last is answered. */
export function usePlayback({ busy, problem, send }: Conversation): Playback {
  const [sent, setSent] = useState<number>();
  const next = sent === undefined || busy ? undefined : sampleConversation[sent];

  useEffect(() => {
    if (problem !== undefined) setSent(undefined);
    else if (next !== undefined) {
      setSent((count = 0) => count + 1);
      send(next);
    } else if (!busy) setSent(undefined);
  }, [next, problem, busy]);

  return {
    sent,
    total: sampleConversation.length,
    start: () => setSent(0),
    stop: () => setSent(undefined),
  };
}
