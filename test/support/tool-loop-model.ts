import type {
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { textResult } from './models.ts';

const { usage } = textResult('');

/**
 * A model that calls tools for a number of steps, two at once every third time and one that fails every
 * seventh, and then answers. It counts its own calls: what is left of its prompt does not matter to it.
 */
export function toolLoopModel(options: {
  steps: number;
  reasoning?: boolean;
  onPrompt?: (prompt: LanguageModelV4Prompt) => void;
}): MockLanguageModelV4 {
  let step = 0;
  const content = (): LanguageModelV4Content[] => {
    step += 1;
    const thought: LanguageModelV4Content[] =
      options.reasoning === true
        ? [{ type: 'reasoning', text: `Thinking about step ${step}.` }]
        : [];
    if (step > options.steps) return [...thought, { type: 'text', text: 'All done.' }];
    const call = (id: string, toolName: string, input: object): LanguageModelV4Content => ({
      type: 'tool-call',
      toolCallId: id,
      toolName,
      input: JSON.stringify(input),
    });
    return [
      ...thought,
      call(`call_${step}`, 'read_file', { path: `src/file-${step}.ts` }),
      ...(step % 3 === 0
        ? [call(`call_${step}_b`, 'read_file', { path: `src/other-${step}.ts`, lines: [1, 2] })]
        : []),
      ...(step % 7 === 0 ? [call(`call_${step}_c`, 'fail', {})] : []),
    ];
  };
  const finish = (parts: LanguageModelV4Content[]) => {
    const unified = parts.some(({ type }) => type === 'tool-call')
      ? ('tool-calls' as const)
      : ('stop' as const);
    return { finishReason: { unified, raw: unified }, usage };
  };
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'tool-loop',
    doGenerate: async ({ prompt }) => {
      options.onPrompt?.(prompt);
      const parts = content();
      return { content: parts, warnings: [], ...finish(parts) };
    },
    doStream: async ({ prompt }) => {
      options.onPrompt?.(prompt);
      const parts = content();
      const chunks: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }];
      parts.forEach((part, index) => {
        const id = String(index);
        if (part.type === 'text' || part.type === 'reasoning') {
          chunks.push(
            { type: `${part.type}-start`, id },
            { type: `${part.type}-delta`, id, delta: part.text },
            { type: `${part.type}-end`, id },
          );
        } else if (part.type === 'tool-call') chunks.push(part);
      });
      chunks.push({ type: 'finish', ...finish(parts) });
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}
