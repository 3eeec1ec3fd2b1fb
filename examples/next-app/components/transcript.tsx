'use client';

import type { ReactNode } from 'react';
import { textOf } from '../lib/chat-message.ts';
import { AssistantTurn } from './assistant-turn.tsx';
import { ProblemNote } from './problem-note.tsx';
import type { Conversation } from './use-conversation.ts';
import { useCoveredIds } from './use-covered-ids.ts';
import { useStickToEnd } from './use-stick-to-end.ts';
import { UserTurn } from './user-turn.tsx';

/** The whole conversation, summarised messages included: only the model no longer reads those. */
export function Transcript({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { messages, busy, problem, regenerate, edit } = conversation;
  const scroller = useStickToEnd(messages);
  const coveredIds = useCoveredIds(messages);
  const latest = messages.at(-1);
  // The answer never came, or only its beginning did.
  const isUnanswered =
    !busy && latest !== undefined && (latest.role === 'user' || textOf(latest) === '');

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to be reachable.
    <section ref={scroller} className="transcript" aria-label="Conversation" tabIndex={0}>
      <ol>
        {messages.map((message, index) => {
          const isLast = index === messages.length - 1;
          return (
            <li
              key={message.id}
              className={coveredIds.has(message.id) ? 'covered-turn' : undefined}
            >
              {message.role === 'user' ? (
                <UserTurn
                  message={message}
                  disabled={busy}
                  onEdit={(text) => edit(message.id, text)}
                />
              ) : (
                <AssistantTurn
                  message={message}
                  history={messages}
                  live={isLast && busy}
                  onRegenerate={isLast && !busy && messages.length > 1 ? regenerate : undefined}
                />
              )}
            </li>
          );
        })}
      </ol>
      {problem !== undefined && !busy ? (
        <ProblemNote text={problem} onRetry={regenerate} />
      ) : (
        isUnanswered && <ProblemNote text="This message has no answer." onRetry={regenerate} />
      )}
    </section>
  );
}
