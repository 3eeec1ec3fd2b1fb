import type { ReactNode } from 'react';
import { sampleConversation } from '../lib/sample-conversation.ts';

interface EmptyChatProps {
  readonly onSend: (text: string) => void;
  readonly onPlay: () => void;
}

const suggestions = [
  'My name is Noor, and I never eat nuts.',
  'What does the README say about `namespace`?',
  'What time is it in Tokyo?',
];

/** What stands where the transcript will be. */
export function EmptyChat({ onSend, onPlay }: EmptyChatProps): ReactNode {
  return (
    <div className="empty">
      <h2>A chat that remembers</h2>
      <p>
        The context of this conversation is small on purpose. Talk until it is full, and watch the
        older messages make room for a summary. Then ask for something you said at the beginning.
      </p>
      <button type="button" className="button primary" onClick={onPlay}>
        Play a sample conversation of {sampleConversation.length} messages
      </button>
      <ul aria-label="Suggestions">
        {suggestions.map((text) => (
          <li key={text}>
            <button type="button" className="button" onClick={() => onSend(text)}>
              {text}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
