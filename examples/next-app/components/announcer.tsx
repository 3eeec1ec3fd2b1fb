'use client';

import type { ReactNode } from 'react';
import { textOf, type ChatMessage } from '../lib/chat-message.ts';
import { summaryLabel } from '../lib/summary-label.ts';

interface AnnouncerProps {
  readonly messages: readonly ChatMessage[];
  readonly busy: boolean;
}

/**
 * Tells screen readers what happens, once for each thing that happens: a transcript that announced
 * itself would be read out token by token.
 */
export function Announcer({ messages, busy }: AnnouncerProps): ReactNode {
  const latest = messages.at(-1);
  const note = latest?.parts.findLast((part) => part.type === 'data-summary')?.data;
  return (
    <div role="status" className="visually-hidden">
      {busy && (note?.state === 'running' ? summaryLabel(note) : 'Answering …')}
      {!busy && latest?.role === 'assistant' && (
        <>
          {note && `${summaryLabel(note)}. `}
          {textOf(latest)}
        </>
      )}
    </div>
  );
}
