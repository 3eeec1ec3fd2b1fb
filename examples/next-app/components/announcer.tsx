'use client';

import { summaryLabel } from 'ai-sdk-summarization/react';
import type { ReactNode } from 'react';
import { textOf, type ChatMessage } from '../lib/chat-message.ts';

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
  const summary = latest?.parts.findLast((part) => part.type === 'data-summary')?.data;
  return (
    <div role="status" className="sr-only">
      {busy && (summary?.state === 'running' ? summaryLabel(summary) : 'Answering …')}
      {!busy && latest?.role === 'assistant' && (
        <>
          {summary &&
            summary.state !== 'elsewhere' &&
            `${summaryLabel(summary.state === 'running' ? { state: 'interrupted' } : summary)}. `}
          {textOf(latest)}
        </>
      )}
    </div>
  );
}
