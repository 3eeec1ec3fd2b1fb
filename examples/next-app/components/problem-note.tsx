import type { ReactNode } from 'react';

interface ProblemNoteProps {
  readonly text: string;
  readonly onRetry: () => void;
}

/** What went wrong, where the answer would have been, and a way on. */
export function ProblemNote({ text, onRetry }: ProblemNoteProps): ReactNode {
  return (
    <div role="alert" className="problem">
      <p>{text}</p>
      <button type="button" className="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
