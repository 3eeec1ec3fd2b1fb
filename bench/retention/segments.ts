import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';

/** One text of a conversation and who wrote it. */
export interface Segment {
  readonly author: 'system' | 'user' | 'agent' | 'tool';
  readonly text: string;
}

/** The texts of messages in the order in which a model reads them. */
export function segmentsOf(messages: readonly LanguageModelV4Message[]): readonly Segment[] {
  return messages.flatMap((message): readonly Segment[] => {
    if (message.role === 'system') return [{ author: 'system', text: message.content }];
    const own = message.role === 'user' ? 'user' : 'agent';
    return message.content.flatMap((part): readonly Segment[] => {
      switch (part.type) {
        case 'text':
        case 'reasoning':
          return [{ author: own, text: part.text }];
        case 'tool-call':
          return [{ author: 'agent', text: argumentsText(part.input) }];
        case 'tool-result':
          return [{ author: 'tool', text: outputText(part.output) }];
        default:
          return [];
      }
    });
  });
}

/** All texts, one below the other. */
export function textOf(messages: readonly LanguageModelV4Message[]): string {
  return segmentsOf(messages)
    .map(({ text }) => text)
    .join('\n');
}

function outputText(output: LanguageModelV4ToolResultPart['output']): string {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value;
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value);
    case 'content':
      return output.value.map((item) => (item.type === 'text' ? item.text : '')).join('\n');
    default:
      return '';
  }
}

/** The strings of an input with their keys, without the escapes of JSON, which are no part of them. */
export function argumentsText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  return Object.entries(value)
    .map(([key, entry]) =>
      Array.isArray(value) ? argumentsText(entry) : `${key}: ${argumentsText(entry)}`,
    )
    .join(', ');
}
