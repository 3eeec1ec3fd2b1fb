'use client';

import { useRef, useState } from 'react';
import { sampleConversation } from '../lib/sample-conversation.ts';
import type { Conversation } from './conversation.ts';

/** The sample conversation, as it is being played. */
export interface Playback {
  /** Messages that were sent; `undefined` while nothing is played. */
  readonly sent: number | undefined;
  readonly total: number;
  readonly start: () => void;
  readonly stop: () => void;
}

/** Sends the messages of the sample conversation one after the other, each when the last is answered. */
export function usePlayback({ send }: Pick<Conversation, 'send'>): Playback {
  const [sent, setSent] = useState<number>();
  const isStopped = useRef(false);

  const play = async (): Promise<void> => {
    isStopped.current = false;
    for (const [index, text] of sampleConversation.entries()) {
      setSent(index + 1);
      const isAnswered = await send(text);
      if (isStopped.current || !isAnswered) break;
    }
    setSent(undefined);
  };
  return {
    sent,
    total: sampleConversation.length,
    start: () => void play(),
    stop: () => {
      isStopped.current = true;
    },
  };
}
