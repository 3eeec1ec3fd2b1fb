'use client';

import type { Summarization } from 'ai-sdk-summarization/ui';
import { RotateCcw } from 'lucide-react';
import dynamic from 'next/dynamic';
import { Fragment, type ReactNode } from 'react';
import { textOf, type ChatMessage } from '../lib/chat-message.ts';
import { formatCount } from '../lib/format-count.ts';
import { CopyButton } from './copy-button.tsx';
import { buttons } from './styles.ts';
import { SummaryCard } from './summary-card.tsx';
import { ToolUse } from './tool-use.tsx';
import type { Conversation } from './conversation.ts';
import { VersionSwitch } from './version-switch.tsx';

// Not needed before there is an answer.
const Markdown = dynamic(async () => (await import('./markdown.tsx')).Markdown);

interface AssistantTurnProps {
  readonly message: ChatMessage;
  readonly conversation: Conversation;
  readonly summarization: Summarization;
  readonly isLast: boolean;
}

/** Texts and tool calls of the assistant, and the summaries made on the way. */
export function AssistantTurn(props: AssistantTurnProps): ReactNode {
  const { message, conversation, summarization, isLast } = props;
  const isLive = isLast && conversation.busy;
  const text = textOf(message);
  const summaries = summarization.summaries.filter(({ messageId }) => messageId === message.id);
  const summaryAt = (partIndex: number | undefined): ReactNode =>
    summaries
      .filter((summary) => summary.partIndex === partIndex)
      .map((summary) => (
        <SummaryCard
          key={summary.recordId ?? 'running'}
          summary={summary}
          summarization={summarization}
          conversation={conversation}
        />
      ));
  return (
    <article aria-label="Assistant" aria-busy={isLive} className="space-y-3 text-sm">
      {summaryAt(undefined)}
      {message.parts.map((part, index) => {
        const key = `${message.id} ${index}`;
        if (part.type === 'data-summary') return <Fragment key={key}>{summaryAt(index)}</Fragment>;
        if (part.type === 'data-shortened') {
          const { tokensBefore, tokensAfter } = part.data;
          return (
            <p key={key} className="text-muted-foreground">
              Some of this was left out to make it fit: {formatCount(tokensBefore)} →{' '}
              {formatCount(tokensAfter)} tokens.
            </p>
          );
        }
        if ('toolCallId' in part) return <ToolUse key={key} part={part} />;
        if (part.type !== 'text') return null;
        return <Markdown key={key} text={part.text} isLive={isLive} />;
      })}
      {isLive && text === '' && (
        <p aria-hidden className="animate-pulse text-muted-foreground">
          …
        </p>
      )}
      {!isLive && text !== '' && (
        <div className="-ms-2 flex items-center">
          <CopyButton text={text} />
          {isLast && (
            <button
              type="button"
              className={buttons.icon}
              aria-label="Regenerate"
              onClick={conversation.regenerate}
            >
              <RotateCcw aria-hidden className="size-4" />
            </button>
          )}
          <VersionSwitch conversation={conversation} messageId={message.id} />
        </div>
      )}
    </article>
  );
}
