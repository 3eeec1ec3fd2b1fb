'use client';

import type { Summarization } from 'ai-sdk-summarization/ui';
import { ArrowDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { StickToBottom, useStickToBottomContext } from 'use-stick-to-bottom';
import { textOf } from '../lib/chat-message.ts';
import { AssistantTurn } from './assistant-turn.tsx';
import { ProblemNote } from './problem-note.tsx';
import { buttons } from './styles.ts';
import type { Conversation } from './conversation.ts';
import { Suggestions } from './suggestions.tsx';
import { UserTurn } from './user-turn.tsx';

interface TranscriptProps {
  readonly conversation: Conversation;
  readonly summarization: Summarization;
  /** Messages that can be sent by a click. */
  readonly suggestions: readonly string[];
}

/** The whole conversation, summarized messages included: only the model no longer reads those. */
export function Transcript({
  conversation,
  summarization,
  suggestions,
}: TranscriptProps): ReactNode {
  const { messages, busy, problem, regenerate } = conversation;
  const latest = messages.at(-1);
  // The answer never came, or only its beginning did.
  const isUnanswered =
    !busy && latest !== undefined && (latest.role === 'user' || textOf(latest) === '');
  const shown = problem ?? (isUnanswered ? 'This message has no answer.' : undefined);

  return (
    <StickToBottom
      className="relative min-h-0 flex-1"
      initial="instant"
      resize="instant"
      role="region"
      aria-label="Conversation"
    >
      <StickToBottom.Content
        scrollClassName="overscroll-contain [scrollbar-gutter:stable]"
        className="mx-auto max-w-3xl px-3 py-5 sm:px-6"
      >
        <ol className="space-y-5">
          {messages.map((message, index) => {
            const isLast = index === messages.length - 1;
            const turn = { conversation, message };
            return (
              <li
                key={message.id}
                id={message.id}
                data-covered={summarization.coveredIds.has(message.id) || undefined}
                className="scroll-mt-6 border-s-2 border-transparent ps-2 target:border-primary data-covered:border-dashed data-covered:border-summary/50"
              >
                {message.role === 'user' ? (
                  <UserTurn {...turn} />
                ) : (
                  <AssistantTurn {...turn} summarization={summarization} isLast={isLast} />
                )}
              </li>
            );
          })}
        </ol>
        {shown !== undefined && !busy && <ProblemNote text={shown} onRetry={regenerate} />}
        {!busy && suggestions.length > 0 && (
          <div aria-label="Abilities" role="group" className="mt-3 flex flex-wrap gap-1 ps-2">
            <Suggestions texts={suggestions} onSend={(text) => void conversation.send(text)} />
          </div>
        )}
      </StickToBottom.Content>
      <ToTheEnd />
    </StickToBottom>
  );
}

function ToTheEnd(): ReactNode {
  const { isAtBottom, scrollToBottom } = useStickToBottomContext();
  if (isAtBottom) return null;
  return (
    <button
      type="button"
      className={`${buttons.plain} absolute inset-x-0 bottom-3 mx-auto w-fit rounded-full shadow-md`}
      onClick={() => void scrollToBottom()}
    >
      <ArrowDown aria-hidden className="size-4" /> To the latest message
    </button>
  );
}
