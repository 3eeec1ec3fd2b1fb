import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { countText } from './count-tokens.ts';
import { agentTurn } from './agent-turn.ts';
import { checkRequest } from './check-request.ts';
import { asksForText, condenseText } from './condense-text.ts';
import type { EmbeddedTurn } from './reading.ts';
import { writeSummary } from './write-summary.ts';

/** Skills of an embedded model. It is given its prompt and nothing else. */
export interface Persona {
  readonly modelId: string;
  readonly takeTurn: (options: LanguageModelV4CallOptions) => EmbeddedTurn;
  /** Writes the record that the user text of a summarizing prompt asks for. */
  readonly writeSummary: (prompt: string) => object;
}

/** Options of {@link embeddedModel}. */
export interface EmbeddedModelOptions {
  /** @default the agent that works through requests step by step */
  readonly persona?: Persona | undefined;
  /**
   * How fast it speaks, streamed or not.
   * @default undefined (at once)
   */
  readonly wordsPerSecond?: number | undefined;
}

const agentPersona: Persona = {
  modelId: 'deterministic-agent',
  takeTurn: ({ prompt }) => agentTurn(prompt),
  writeSummary,
};

/**
 * A language model without a network: deterministic, without any state between calls, and as strict as
 * a provider about what it is sent. Asked for a summary it writes one, as JSON or as text; else it takes its
 * turn.
 *
 * @param contextLength - Tokens it accepts.
 */
export function embeddedModel(
  contextLength: number,
  { persona = agentPersona, wordsPerSecond }: EmbeddedModelOptions = {},
): LanguageModelV4 {
  const generate = async (options: LanguageModelV4CallOptions) =>
    answer(options, contextLength, persona);
  const stream = (result: LanguageModelV4GenerateResult) =>
    simulateReadableStream({
      chunks: [...streamParts(result)],
      initialDelayInMs: null,
      chunkDelayInMs: wordsPerSecond === undefined ? null : 1000 / wordsPerSecond,
    });
  return {
    specificationVersion: 'v4',
    provider: 'embedded',
    modelId: persona.modelId,
    supportedUrls: {},
    doGenerate: async (options) => {
      const result = await generate(options);
      // Read to its end: the answer takes as long as if it were streamed.
      const reader = stream(result).getReader();
      while (!(await reader.read()).done) options.abortSignal?.throwIfAborted();
      return result;
    },
    doStream: async (options) => ({ stream: stream(await generate(options)) }),
  };
}

async function answer(
  options: LanguageModelV4CallOptions,
  contextLength: number,
  persona: Persona,
): Promise<LanguageModelV4GenerateResult> {
  options.abortSignal?.throwIfAborted();
  const inputTokens = checkRequest(options, contextLength);
  const { text, call } = turnOf(options, persona);
  const input = JSON.stringify(call?.input);
  const outputTokens = countText(text) + (call ? countText(call.name + input) : 0);
  return {
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...(call
        ? [
            {
              type: 'tool-call' as const,
              toolCallId: await callId(options),
              toolName: call.name,
              input,
            },
          ]
        : []),
    ],
    finishReason: call
      ? { unified: 'tool-calls', raw: 'tool_calls' }
      : { unified: 'stop', raw: 'stop' },
    usage: {
      inputTokens: { total: inputTokens, noCache: inputTokens, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: outputTokens, text: outputTokens, reasoning: 0 },
    },
    warnings: [],
  };
}

function turnOf(options: LanguageModelV4CallOptions, persona: Persona): EmbeddedTurn {
  const prompt = userText(options);
  if (options.responseFormat?.type === 'json') {
    return { text: JSON.stringify(persona.writeSummary(prompt)) };
  }
  return asksForText(prompt) ? { text: condenseText(prompt) } : persona.takeTurn(options);
}

/** The same answer as a stream, word by word. */
function* streamParts({
  content,
  ...finish
}: LanguageModelV4GenerateResult): Generator<LanguageModelV4StreamPart> {
  yield { type: 'stream-start', warnings: finish.warnings };
  for (const part of content) {
    if (part.type === 'text') {
      yield { type: 'text-start', id: '0' };
      for (const delta of part.text.match(/\S+\s*|\s+/g) ?? []) {
        yield { type: 'text-delta', id: '0', delta };
      }
      yield { type: 'text-end', id: '0' };
    }
    if (part.type === 'tool-call') {
      yield { type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName };
      yield { type: 'tool-input-delta', id: part.toolCallId, delta: part.input };
      yield { type: 'tool-input-end', id: part.toolCallId };
      yield part;
    }
  }
  yield { type: 'finish', usage: finish.usage, finishReason: finish.finishReason };
}

/** Unique in a conversation, because no two of its prompts are the same. */
async function callId({ prompt }: LanguageModelV4CallOptions): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(prompt));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return `call_${Array.from(digest.subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

function userText({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n');
}
