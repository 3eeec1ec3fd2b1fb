import type { ReactNode } from 'react';

/** A text with its line breaks, and `code` as code: all the markup this page knows. */
export function PlainText({ text }: { readonly text: string }): ReactNode {
  const pieces = text.split(/`([^`\n]+)`/);
  return (
    <p className="text">
      {pieces.map((piece, index) => (index % 2 === 0 ? piece : <code key={index}>{piece}</code>))}
    </p>
  );
}
