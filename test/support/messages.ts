import type { ModelMessage, ToolResultPart } from 'ai';

/** A user message. */
export function user(text: string): ModelMessage {
  return { role: 'user', content: text };
}

/** An assistant message. */
export function assistant(text: string): ModelMessage {
  return { role: 'assistant', content: text };
}

/** An assistant message with one tool call and the tool message that answers it. */
export function toolStep(
  toolCallId: string,
  output: string | ToolResultPart['output'],
  toolName = 'read_file',
  input: unknown = { path: `src/${toolCallId}.ts` },
): ModelMessage[] {
  const given = typeof output === 'string' ? ({ type: 'text', value: output } as const) : output;
  const result = { type: 'tool-result', toolCallId, toolName, output: given } as const;
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
    { role: 'tool', content: [result] },
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

/** An agent's task, and steps with large results. */
export function agentSteps(steps: number, tokens = 800): ModelMessage[] {
  const results = Array.from({ length: steps }, (_, step) =>
    toolStep(`call_${step}`, `${step}: ${words(step, tokens)}`),
  );
  return [user('Migrate the store. Never touch the audit log.'), ...results.flat()];
}
