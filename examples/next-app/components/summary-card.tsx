'use client';

import { SummaryDivider } from 'ai-sdk-summarization/react';
import type { PlacedSummary, Summarization, SummaryPart } from 'ai-sdk-summarization/ui';
import { BookMarked, Undo2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatCount } from '../lib/format-count.ts';
import { buttons } from './styles.ts';
import type { Conversation } from './conversation.ts';

interface SummaryCardProps {
  readonly summary: PlacedSummary;
  readonly summarization: Summarization;
  readonly conversation: Conversation;
}

/** Cost of a summary; unknown for one that was made beside an earlier answer. */
function figuresOf({
  tokensBefore,
  tokensAfter,
  durationMs,
  usage,
}: Extract<SummaryPart, { state: 'done' }>): string {
  if (tokensBefore === undefined || tokensAfter === undefined) return 'Made beside an answer';
  const billed = usage === undefined ? 0 : usage.inputTokens + usage.outputTokens;
  const seconds = ((durationMs ?? 0) / 1000).toFixed(1);
  return `${formatCount(tokensBefore)} → ${formatCount(tokensAfter)} tokens · ${seconds} s · ${formatCount(billed)} tokens for the summary`;
}

/** Where a summary was made: opens to its record, and can be taken back while it is the latest. */
export function SummaryCard({ summary, summarization, conversation }: SummaryCardProps): ReactNode {
  const { part } = summary;
  const latest = summarization.summaries.findLast((other) => other.part?.state === 'done');
  const actions = part?.state === 'done' && (
    <div className="flex flex-wrap items-center gap-3 text-xs text-muted-foreground">
      <span className="min-w-0 flex-1">{figuresOf(part)}</span>
      {summary === latest && (
        <button
          type="button"
          className={buttons.plain}
          disabled={conversation.busy}
          onClick={conversation.undo}
        >
          <Undo2 aria-hidden className="size-4" /> Undo
        </button>
      )}
    </div>
  );
  return (
    <SummaryDivider
      part={part}
      numbers={summarization.numbers}
      icon={<BookMarked aria-hidden className="size-4 shrink-0 text-summary" />}
      actions={actions || undefined}
    />
  );
}
