import { setTimeout as delay } from 'node:timers/promises';
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { SummarizationEvent, SummarizationOptions, SummaryStore } from '../../src/index.ts';
import { answer, billedResult } from '../../test/support/models.ts';
import { builtRoot } from '../built-package.ts';
import type { Workload } from './conversations.ts';

/** How a conversation is led. */
export interface Run {
  readonly workload: Workload;
  readonly options: SummarizationOptions;
  readonly store: SummaryStore;
  /** Milliseconds that an answer takes. */
  readonly answerMs: number;
  /** What a summarizing model does before it answers. */
  readonly beforeSummary: () => Promise<void>;
  /** Ends when so many summaries have stood in a prompt, */
  readonly summaries: number;
  /** or after so many milliseconds. */
  readonly atMostMs: number;
}

/** What became of it. */
export interface Outcome {
  /** Milliseconds between a call and its model, of those that fitted as they stood and at which a summary was due. */
  readonly heldMs: readonly number[];
  readonly summaries: number;
}

/** Leads a conversation, each call as soon as the one before is answered. */
export async function runConversation(run: Run): Promise<Outcome> {
  const { workload, options, store, answerMs, beforeSummary } = run;
  const { contextLength, grow } = workload;
  let reachedAt = 0;
  const inner = new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId: 'local',
    doGenerate: async ({ prompt }) => {
      reachedAt = performance.now();
      await delay(answerMs);
      return billedResult('Understood.', tokensOf(prompt));
    },
  });
  const summarizer = new MockLanguageModelV4({
    provider: 'openai.chat',
    modelId: 'local-summarizer',
    doGenerate: async ({ prompt }) => {
      await beforeSummary();
      return billedResult(summary, tokensOf(prompt));
    },
  });
  const events: SummarizationEvent[] = [];
  const middleware = builtRoot.summarizationMiddleware({
    contextLength,
    summarizerModelPreference: summarizer,
    store,
    secret: 'a secret of the benchmark',
    ...options,
    onEvent: (event) => events.push(event),
  });
  const model = wrapLanguageModel({ model: inner, middleware });
  const history: LanguageModelV4Message[] = [];
  const heldMs: number[] = [];
  const records = new Set<string>();
  const endsAt = performance.now() + run.atMostMs;
  for (let call = 0; records.size < run.summaries && performance.now() < endsAt; call += 1) {
    history.push(...grow(call));
    const cameAt = performance.now();
    await model.doGenerate({ prompt: [...history] });
    const seen = events.splice(0);
    const check = seen.find((event) => event.type === 'check');
    const applied = seen.find((event) => event.type === 'applied')?.recordId;
    // One that was shortened to make room is no new one.
    const isShortened = seen.some(({ type }) => type === 'recovered');
    const isNew = applied !== undefined && !isShortened && !records.has(applied);
    if (isNew) records.add(applied);
    const isDue = isNew || check?.act !== 'none';
    if (isDue && check?.act !== 'emergency') heldMs.push(reachedAt - cameAt);
  }
  return { heldMs, summaries: records.size };
}

const summary = answer({
  summary: 'The user asked for words, and the assistant gave them.',
  keyPoints: ['There were rivers and stones.'],
});

/** Tokens of a prompt as its provider reports them: nearly one a word. */
function tokensOf(prompt: LanguageModelV4CallOptions['prompt']): number {
  return Math.ceil(JSON.stringify(prompt).length / 5.5);
}
