import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { answer, textResult } from '../../test/support/models.ts';
import { words } from '../../test/support/messages.ts';

/** A model that keeps nothing of what it is sent. */
export function modelThat(
  answers: (options: LanguageModelV4CallOptions) => Promise<LanguageModelV4GenerateResult>,
  modelId = 'test-model',
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'openai.responses',
    modelId,
    supportedUrls: {},
    doGenerate: answers,
    doStream: async () => Promise.reject(new Error('Streams are not supported.')),
  };
}

/** A summariser that answers at once, and how often it was asked. */
export function countedSummarizer(behave: () => Promise<void> = () => Promise.resolve()): {
  readonly model: LanguageModelV4;
  readonly calls: () => number;
} {
  let calls = 0;
  const model = modelThat(async () => {
    calls += 1;
    await behave();
    return textResult(answer({ summary: `They spoke of many things, for the time ${calls}.` }));
  }, 'summarizer');
  return { model, calls: () => calls };
}

/** A message with words of its own. */
export function message(
  role: 'user' | 'assistant',
  seed: number,
  tokens: number,
): LanguageModelV4Message {
  return { role, content: [{ type: 'text', text: `${role} ${seed}: ${words(seed, tokens)}` }] };
}

/** A chat of so many messages, which ends with one of the user. */
export function chat(name: number, count: number, tokens: number): LanguageModelV4Message[] {
  return Array.from({ length: count }, (_, index) =>
    message((count - index) % 2 === 1 ? 'user' : 'assistant', name * 100_000 + index, tokens),
  );
}

/** A step of an agent: a call and its result. */
export function step(number: number, tokens: number): LanguageModelV4Message[] {
  const ids = { toolCallId: `call${number}`, toolName: 'read_file' };
  return [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', ...ids, input: { path: `src/${number}.ts` } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', ...ids, output: { type: 'text', value: words(number, tokens) } },
      ],
    },
  ];
}

/** Whether each result follows its call, and the first message is the user's. */
export function isLegal(prompt: readonly LanguageModelV4Message[]): boolean {
  const said = prompt.filter(({ role }) => role !== 'system');
  if (said[0]?.role !== 'user') return false;
  return said.every((each, index) => {
    if (each.role !== 'tool') return true;
    const calls = JSON.stringify(said[index - 1]?.content ?? '');
    return each.content.every(
      (part) => part.type !== 'tool-result' || calls.includes(`"${part.toolCallId}"`),
    );
  });
}
