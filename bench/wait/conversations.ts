import type { LanguageModelV4Message } from '@ai-sdk/provider';

/** A conversation that grows by one call after another. */
export interface Workload {
  readonly name: string;
  /** Tokens the model accepts. */
  readonly contextLength: number;
  /** What the call with this number adds to the history before it is sent. */
  readonly grow: (call: number) => readonly LanguageModelV4Message[];
}

/** A chat: some 430 tokens a turn. */
export const chat: Workload = {
  name: 'chat',
  contextLength: 16_000,
  grow: (call) => [
    ...(call === 0 ? [] : [assistant(`Answer ${call}: ${prose(call, 300)}`)]),
    user(`Question ${call}: ${prose(call + 7, 70)}?`),
  ],
};

/** A loop of tool calls: some 900 tokens a step. */
export const toolLoop: Workload = {
  name: 'tool loop',
  contextLength: 32_000,
  grow: (call) =>
    call === 0 ? [user('Read all the files and tell me what they say.')] : step(call),
};

function user(text: string): LanguageModelV4Message {
  return { role: 'user', content: [{ type: 'text', text }] };
}

function assistant(text: string): LanguageModelV4Message {
  return { role: 'assistant', content: [{ type: 'text', text }] };
}

function step(call: number): readonly LanguageModelV4Message[] {
  const id = { toolCallId: `call_${call}`, toolName: 'read_file' };
  const output = { type: 'text', value: prose(call, 700) } as const;
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', ...id, input: { path: `src/file-${call}.ts` } }],
    },
    { role: 'tool', content: [{ type: 'tool-result', ...id, output }] },
  ];
}

const vocabulary =
  'river stone cloud market engine paper garden winter signal bridge candle forest mirror pocket silver thunder window yellow basket copper'.split(
    ' ',
  );

/** So many words, other ones for each seed. */
function prose(seed: number, count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const word = vocabulary[(seed * 7 + index * (3 + (seed % 5))) % vocabulary.length] ?? '';
    return index % 12 === 11 ? `${word} ${seed * 100 + index}.` : word;
  }).join(' ');
}
