import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { emptyContent } from '../../src/foundations/record/content-items.ts';
import { streamingModelThat } from '../model-that.ts';
import { promptTokens } from './encode-prompt.ts';
import type { CacheUse } from './provider-cache.ts';

/** Told of every call before it is answered, and of the tokens of the answer; may say what the cache had. */
export type Observer = (
  options: LanguageModelV4CallOptions,
  answered: number,
) => CacheUse | undefined | void;

/**
 * A model that answers with one word and real usage; with a record of about `characters` where it is asked for one in
 * the conversation. Named so that its tokens are o200k.
 */
export function answeringModel(observe: Observer, characters: number = 0): LanguageModelV4 {
  return mockModel('gpt-5-mini', observe, (options) =>
    isAskedForRecord(options)
      ? recordOf(sampledSentences(sourceText(options), characters))
      : 'Understood.',
  );
}

/**
 * A summarizer without a model: every n-th sentence of what it reads, of about `characters`; as JSON
 * when asked for JSON, else in the tags that prose prompts ask for. The same for every method.
 */
export function summarizingModel(characters: number, observe: Observer): LanguageModelV4 {
  return mockModel('gpt-5-nano', observe, (options) => {
    const sentences = sampledSentences(sourceText(options), characters);
    if (options.responseFormat?.type !== 'json') return `<summary>${sentences.join(' ')}</summary>`;
    return recordOf(sentences);
  });
}

/** Whether the model of a conversation is asked for a record of it: in its place, or with a transcript. */
export function isAskedForRecord({ prompt, responseFormat }: LanguageModelV4CallOptions): boolean {
  if (responseFormat?.type === 'json') return true;
  return JSON.stringify(prompt.at(-1) ?? '').includes('Stop here: do not answer');
}

function recordOf(sentences: readonly string[]): string {
  const half = Math.ceil(sentences.length / 2);
  return JSON.stringify({
    ...emptyContent(sentences.slice(0, half).join(' ')),
    keyPoints: sentences.slice(half),
  });
}

function sampledSentences(text: string, characters: number): readonly string[] {
  const all = text.match(/[A-Z][a-z][^.!?{}"\\]{20,300}[.!?]/g) ?? ['Nothing was said.'];
  const total = all.reduce((sum, sentence) => sum + sentence.length + 1, 0);
  const step = Math.max(1, total / characters);
  const taken = Math.floor(all.length / step) || 1;
  return Array.from({ length: taken }, (_, index) => all[Math.floor(index * step)] ?? '');
}

/** Instructions stand in system messages; everything else is what is to be summarized. */
function sourceText({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .flatMap((message) => {
      if (message.role === 'system') return [];
      return message.content.map((part) =>
        part.type === 'text' ? part.text : JSON.stringify(part),
      );
    })
    .join('\n');
}

function mockModel(
  modelId: string,
  observe: Observer,
  answer: (options: LanguageModelV4CallOptions) => string,
): LanguageModelV4 {
  return streamingModelThat({ provider: 'openai', modelId }, async (options) => {
    const text = answer(options);
    // Four characters a token, the usual figure for English.
    const output = Math.ceil(text.length / 4);
    const seen = observe(options, output);
    const { read, written } = seen ?? { read: 0, written: promptTokens(options) };
    // Lets concurrent calls overlap as calls over a network do.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return {
      content: [{ type: 'text', text }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: {
        inputTokens: { total: read + written, noCache: written, cacheRead: read, cacheWrite: 0 },
        outputTokens: { total: output, text: output, reasoning: 0 },
      },
      warnings: [],
    };
  });
}
