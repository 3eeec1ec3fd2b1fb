import { canonicalJson } from './canonical-json.ts';
import type { Message } from './prompt-types.ts';

/** The texts, tool-call inputs and text outputs of messages, a line each. For looking words up. */
export function messagesText(messages: readonly Message[]): string {
  return messages.flatMap(textsOf).join('\n');
}

function textsOf(message: Message): string[] {
  if (message.role === 'system') return [message.content];
  return message.content.flatMap((part): string[] => {
    switch (part.type) {
      case 'text':
        return [part.text];
      case 'tool-call':
        return [`${part.toolName} ${canonicalJson(part.input)}`];
      case 'tool-result':
        return 'value' in part.output ? [outputText(part.output.value)] : [];
      default:
        return [];
    }
  });
}

function outputText(value: unknown): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}
