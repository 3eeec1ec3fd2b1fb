import type { ReactNode } from 'react';
import { buttons } from './styles.ts';

interface SuggestionsProps {
  readonly texts: readonly string[];
  readonly onSend: (text: string) => void;
}

/** Messages that can be sent by a click. */
export function Suggestions({ texts, onSend }: SuggestionsProps): ReactNode {
  return texts.map((text) => (
    <button key={text} type="button" className={buttons.quiet} onClick={() => onSend(text)}>
      {text}
    </button>
  ));
}
