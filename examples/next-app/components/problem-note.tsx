import type { ReactNode } from 'react';
import { buttons } from './styles.ts';

interface ProblemNoteProps {
  readonly text: string;
  readonly onRetry: () => void;
}

/** Error in place of the answer, and a way on. */
export function ProblemNote({ text, onRetry }: ProblemNoteProps): ReactNode {
  return (
    <div
      role="alert"
      className="mt-5 flex flex-wrap items-center gap-3 rounded-lg border border-destructive/50 bg-destructive-soft px-3 py-2 text-sm"
    >
      <p className="min-w-0 flex-1 wrap-anywhere">{text}</p>
      <button type="button" className={buttons.plain} onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
