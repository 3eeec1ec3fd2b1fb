import type { Message } from '../../prompt/prompt-types.ts';
import { textDoor, type Redact } from '../../record/text-door.ts';
import { flattenValue } from './flatten-value.ts';
import { outputText } from './output-text.ts';

/** Whose words a text holds. `memory` is what an earlier record said. */
export type SourceRole = 'user' | 'assistant' | 'call' | 'result' | 'memory';

/** One text that a summary can quote. */
export interface SourceText {
  /** Position of the message among the messages to cover, -1 for an earlier record. */
  readonly index: number;
  readonly role: SourceRole;
  /** Whether its excerpts are listed as what a user said. */
  readonly bullet?: boolean | undefined;
  readonly text: string;
}

/**
 * Lists the texts of messages in order: what was said, what tools were asked and what they answered,
 * JSON without its punctuation. Reasoning, files and provider-specific parts are left out.
 *
 * @param redact - Its door takes whole texts: a secret cut in two would not be recognised any more.
 */
export function sourceTexts(messages: readonly Message[], redact?: Redact): readonly SourceText[] {
  const clean = textDoor(redact);
  return messages
    .flatMap((message, index) => messageTexts(message, index))
    .map((source) => ({ ...source, text: clean(source.text) }))
    .filter(({ text }) => text.trim() !== '');
}

function messageTexts(message: Message, index: number): readonly SourceText[] {
  if (message.role === 'system') return [{ index, role: 'assistant', text: message.content }];
  const spoken = message.role === 'user' ? 'user' : 'assistant';
  return message.content.flatMap((part): readonly SourceText[] => {
    switch (part.type) {
      case 'text':
        return [{ index, role: spoken, text: part.text }];
      case 'file':
        return part.data.type === 'text' ? [{ index, role: 'result', text: part.data.text }] : [];
      case 'tool-call':
        return [{ index, role: 'call', text: flattenValue(part.input) }];
      case 'tool-result':
        return [{ index, role: 'result', text: outputText(part.output) }];
      default:
        return [];
    }
  });
}
