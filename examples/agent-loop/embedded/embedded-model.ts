import { createHash } from 'node:crypto';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';
import { countText } from '../count-tokens.ts';
import { agentTurn } from './agent-turn.ts';
import { checkRequest } from './check-request.ts';
import { writeSummary } from './write-summary.ts';

/**
 * A language model without a network: deterministic, without any state between calls, and as strict as
 * a provider about what it is sent. Asked for JSON it writes a summary, else it acts as the agent.
 *
 * @param contextLength - Tokens it accepts.
 */
export function embeddedModel(contextLength: number): LanguageModelV4 {
  const generate = (options: LanguageModelV4CallOptions) => answer(options, contextLength);
  return {
    specificationVersion: 'v4',
    provider: 'embedded',
    modelId: 'deterministic-agent',
    supportedUrls: {},
    doGenerate: async (options) => generate(options),
    doStream: async (options) => ({
      stream: simulateReadableStream({
        chunks: [...streamParts(generate(options))],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    }),
  };
}

function answer(
  options: LanguageModelV4CallOptions,
  contextLength: number,
): LanguageModelV4GenerateResult {
  options.abortSignal?.throwIfAborted();
  const inputTokens = checkRequest(options, contextLength);
  const { text, call } =
    options.responseFormat?.type === 'json'
      ? { text: JSON.stringify(writeSummary(userText(options))), call: undefined }
      : agentTurn(options.prompt);
  const input = JSON.stringify(call?.input);
  const outputTokens = countText(text) + (call ? countText(call.name + input) : 0);
  return {
    content: [
      { type: 'text', text },
      ...(call
        ? [{ type: 'tool-call' as const, toolCallId: callId(options), toolName: call.name, input }]
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
function callId({ prompt }: LanguageModelV4CallOptions): string {
  return `call_${createHash('sha256').update(JSON.stringify(prompt)).digest('hex').slice(0, 16)}`;
}

function userText({ prompt }: LanguageModelV4CallOptions): string {
  return prompt
    .flatMap((message) => (message.role === 'user' ? message.content : []))
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('\n');
}
