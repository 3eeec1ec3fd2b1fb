import type {
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { simulateReadableStream, tool, type ToolSet } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { words } from './messages.ts';
import { textResult } from './models.ts';

const { usage } = textResult('');

/** A model that answers each call with the content that is next, all at once or as a stream. */
export function contentModel(
  next: (prompt: LanguageModelV4Prompt) => LanguageModelV4Content[],
): MockLanguageModelV4 {
  const finishOf = (parts: readonly LanguageModelV4Content[]) => {
    const unified = parts.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    return { finishReason: { unified, raw: unified }, usage } as const;
  };
  return new MockLanguageModelV4({
    provider: 'openai.responses',
    modelId: 'tool-loop',
    doGenerate: async ({ prompt }) => {
      const content = next(prompt);
      return { content, warnings: [], ...finishOf(content) };
    },
    doStream: async ({ prompt }) => {
      const content = next(prompt);
      const chunks: LanguageModelV4StreamPart[] = [{ type: 'stream-start', warnings: [] }];
      for (const [index, part] of content.entries()) {
        const id = String(index);
        if (part.type === 'text' || part.type === 'reasoning')
          chunks.push(
            { type: `${part.type}-start`, id },
            { type: `${part.type}-delta`, id, delta: part.text },
            { type: `${part.type}-end`, id },
          );
        else if (part.type === 'tool-call') chunks.push(part);
      }
      chunks.push({ type: 'finish', ...finishOf(content) });
      return { stream: simulateReadableStream({ chunks }) };
    },
  });
}

/** The content that calls a tool. */
export function callOf(
  toolCallId: string,
  toolName: string,
  input: object,
): LanguageModelV4Content {
  return { type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) };
}

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
  return contentModel((prompt) => {
    options.onPrompt?.(prompt);
    step += 1;
    const thought: LanguageModelV4Content[] =
      options.reasoning === true
        ? [{ type: 'reasoning', text: `Thinking about step ${step}.` }]
        : [];
    if (step > options.steps) return [...thought, { type: 'text', text: 'All done.' }];
    const lines = { path: `src/other-${step}.ts`, lines: [1, 2] };
    return [
      ...thought,
      callOf(`call_${step}`, 'read_file', { path: `src/file-${step}.ts` }),
      ...(step % 3 === 0 ? [callOf(`call_${step}_b`, 'read_file', lines)] : []),
      ...(step % 7 === 0 ? [callOf(`call_${step}_c`, 'fail', {})] : []),
    ];
  });
}

/** The tools that it calls. */
export const loopTools: ToolSet = {
  read_file: tool({
    inputSchema: z.object({ path: z.string(), lines: z.array(z.number()).optional() }),
    execute: async ({ path }) => ({ path, text: words(path.length, 100) }),
  }),
  fail: tool({
    inputSchema: z.object({}),
    execute: async (): Promise<string> => {
      throw new Error('No such file.');
    },
  }),
};
