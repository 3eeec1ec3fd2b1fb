import type { ModelMessage } from 'ai';

/** A user message. */
export function user(text: string): ModelMessage {
  return { role: 'user', content: text };
}

/** An assistant message. */
export function assistant(text: string): ModelMessage {
  return { role: 'assistant', content: text };
}

/** An assistant message with one tool call and the tool message that answers it. */
export function toolStep(id: string, output: string, toolName = 'read_file'): ModelMessage[] {
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: id, toolName, input: { path: `src/${id}.ts` } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: id, toolName, output: { type: 'text', value: output } },
      ],
    },
  ];
}

/** Words that differ from message to message; about `tokens` tokens of them. */
export function words(seed: number, tokens: number): string {
  return Array.from(
    { length: tokens },
    (_, index) => vocabulary[(seed * 7 + index * 3) % vocabulary.length],
  ).join(' ');
}

const vocabulary =
  'river stone cloud market engine paper garden winter signal bridge candle forest mirror pocket silver thunder window yellow basket copper'.split(
    ' ',
  );

/** A chat of `count` messages, user first, about `tokens` tokens each, ending with a user message if odd. */
export function chat(count: number, tokens = 40): ModelMessage[] {
  return Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? user(`Question ${index}: ${words(index, tokens)}`)
      : assistant(`Answer ${index}: ${words(index, tokens)}`),
  );
}
