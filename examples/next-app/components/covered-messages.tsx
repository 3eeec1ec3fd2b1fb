'use client';

import { convertToModelMessages, type ModelMessage } from 'ai';
import { useEffect, useState, type ReactNode } from 'react';
import type { ChatMessage } from '../lib/chat-message.ts';

interface CoveredMessagesProps {
  readonly history: readonly ChatMessage[];
  /** How many messages are covered, counted as the model sees them. */
  readonly count: number;
}

/** The messages a record stands for. The model no longer reads them; the page still has them. */
export function CoveredMessages({ history, count }: CoveredMessagesProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const [messages, setMessages] = useState<readonly ModelMessage[]>([]);

  useEffect(() => {
    if (!isOpen) return;
    // A use of a tool is two messages for the model and one part for the page: only the SDK can count.
    void convertToModelMessages([...history], { ignoreIncompleteToolCalls: true }).then((all) =>
      setMessages(all.slice(0, count)),
    );
  }, [isOpen, history, count]);

  return (
    <details className="covered" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>The {count} messages it stands for</summary>
      <ol>
        {messages.map(({ role, content }, index) => (
          <li key={index}>
            <b>{role}</b> {textOfContent(content)}
          </li>
        ))}
      </ol>
    </details>
  );
}

function textOfContent(content: ModelMessage['content']): string {
  if (typeof content === 'string') return content;
  return content
    .map((part) => {
      if (part.type === 'text') return part.text;
      if (part.type === 'tool-call') return `${part.toolName} ${JSON.stringify(part.input)}`;
      if (part.type !== 'tool-result' || !('value' in part.output)) return '';
      const { value } = part.output;
      return typeof value === 'string' ? value : JSON.stringify(value);
    })
    .join('\n');
}
