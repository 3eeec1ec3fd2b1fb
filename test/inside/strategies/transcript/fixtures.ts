import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { MockLanguageModelV4 } from 'ai/test';
import {
  type Message,
  llmStrategy,
  type LlmStrategyOptions,
  type SummaryInput,
  type SummaryOutput,
} from '../../../../src/index.ts';
import type { Redact } from '../../../../src/cleaning/redaction-door.ts';
import { resolvePrompts } from '../../../../src/prompts/resolve-prompts.ts';
import type { TranscriptPart } from '../../../../src/strategies/messages/read-messages.ts';
import { askModels } from '../../../../src/strategies/models/ask-models.ts';
import { modelBreaker } from '../../../../src/strategies/models/breaker.ts';
import { readTranscript } from '../../../../src/strategies/transcript/read-transcript.ts';
import {
  answer,
  assistant,
  modelResult,
  promptText,
  summarizer,
  summaryInput,
  toolCall,
  toolResult,
  user,
  type Reply,
} from '../../../strategies/llm/fixtures.ts';

export const long: string = 'The quick brown fox jumps. '.repeat(190);
export const messages: readonly Message[] = [
  user(`Please read it. ${long}`),
  toolCall('Read', { path: 'src/a.ts' }),
  toolResult('Read', `export const a = 1; ${long}`),
  assistant(`It exports a. ${long}`),
];
export const good: Reply = answer({ summary: 'The user asked for a file.' });

/** Calls for the summary ask for JSON; those for a message do not. */
export function isSummary({ responseFormat }: LanguageModelV4CallOptions): boolean {
  return responseFormat?.type === 'json';
}

export function condensing(
  reply: (options: LanguageModelV4CallOptions, call: number) => Reply,
  modelId?: string,
): MockLanguageModelV4 {
  let calls = 0;
  return summarizer((_, options) => {
    if (isSummary(options)) return good;
    calls += 1;
    return reply(options, calls);
  }, modelId);
}

export function transcript(model: MockLanguageModelV4): string {
  return promptText(model.doGenerateCalls.findLast(isSummary));
}

export async function run(
  options: LlmStrategyOptions,
  model: MockLanguageModelV4 = condensing(() => modelResult('short')),
  input: Partial<SummaryInput> = {},
): Promise<{ output: SummaryOutput; model: MockLanguageModelV4 }> {
  const output = await llmStrategy(options).summarize(summaryInput(model, { messages, ...input }));
  return { output, model };
}

/** What a model reads of messages that are not filtered. */
export async function buildTranscript(
  given: readonly Message[],
  redact: Redact = (text) => text,
): Promise<readonly TranscriptPart[]> {
  const enter = modelBreaker();
  return readTranscript(summaryInput(summarizer([]), { messages: given, redact }), {
    filter: {},
    prompts: resolvePrompts(undefined),
    // Nobody is asked.
    panel: askModels({ models: [], enter: (name) => enter(name, ''), timeoutMs: 1, clean: redact }),
    cache: new Map(),
  });
}
