import { isToolUIPart } from 'ai';
import type { ReactNode } from 'react';
import type { ChatMessage } from '../lib/chat-message.ts';
import { formatCount } from '../lib/format-count.ts';
import { PlainText } from './plain-text.tsx';
import { SummaryDivider } from './summary-divider.tsx';
import { ToolUse } from './tool-use.tsx';

interface AssistantTurnProps {
  readonly message: ChatMessage;
  /** All messages: a divider shows those it covers. */
  readonly history: readonly ChatMessage[];
  /** Whether this message is still being written. */
  readonly live: boolean;
  readonly onRegenerate: (() => void) | undefined;
}

/** What the assistant said and did, and the summaries that were made on the way. */
export function AssistantTurn(props: AssistantTurnProps): ReactNode {
  const { message, history, live, onRegenerate } = props;
  const hasContent = message.parts.some(({ type }) => type !== 'step-start');
  return (
    <article className="turn assistant" aria-label="Assistant" aria-busy={live}>
      {message.parts.map((part, index) => {
        const key = `${message.id} ${index}`;
        if (part.type === 'data-summary') {
          return <SummaryDivider key={key} note={part.data} history={history} live={live} />;
        }
        if (part.type === 'data-shortened') {
          const { tokensBefore, tokensAfter } = part.data;
          return (
            <p key={key} className="note">
              Cut without a model, because it did not fit: {formatCount(tokensBefore)} →{' '}
              {formatCount(tokensAfter)} tokens.
            </p>
          );
        }
        if (isToolUIPart(part)) return <ToolUse key={key} part={part} />;
        if (part.type !== 'text') return null;
        return <PlainText key={key} text={part.text} />;
      })}
      {live && !hasContent && <p className="text waiting">…</p>}
      {onRegenerate && (
        <div className="turn-actions">
          <button type="button" className="button quiet" onClick={onRegenerate}>
            Regenerate
          </button>
        </div>
      )}
    </article>
  );
}
