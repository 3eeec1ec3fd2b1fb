import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { emptyContent } from '../../src/record/content-items.ts';
import type { SummarizationOptions, SummaryStore, SummaryStrategy } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { contextLength } from './conversation.ts';

/** What all processes of these benchmarks seal with. */
export const secret = 'the secret of the benchmark';

/** What one process sends and pays. */
export interface LocalProcess {
  /** Sends a conversation; returns a hash of the prompt that reached the model. */
  readonly send: (
    prompt: LanguageModelV4Prompt,
    own?: Readonly<Record<string, string>>,
  ) => Promise<string>;
  readonly bills: () => number;
}

/** A model and a summariser that are functions of this process. */
export function localProcess(
  store: SummaryStore,
  {
    slowMs = 0,
    onBill = () => {},
    summary: words,
    ...more
  }: SummarizationOptions & {
    readonly slowMs?: number;
    readonly onBill?: () => void;
    /** What the summariser says. Default: who it is, and something else each time. */
    readonly summary?: string;
  } = {},
): LocalProcess {
  let bills = 0;
  const strategy: SummaryStrategy = {
    name: 'local',
    summarize: async () => {
      bills += 1;
      onBill();
      if (slowMs > 0) await delay(slowMs);
      const summary =
        words ?? `They spoke. Written by ${process.pid} at ${performance.now()}, bill ${bills}.`;
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { content: { summary, keyPoints: [], context: emptyContext }, usage };
    },
  };
  const middleware = builtRoot.summarizationMiddleware({
    store,
    secret,
    contextLength,
    strategy,
    fallbackStrategy: false,
    ...more,
  });
  const send: LocalProcess['send'] = async (prompt, own) => {
    let sent = '';
    const inner: LanguageModelV4 = new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'local',
      doGenerate: async (params) => {
        sent = createHash('sha256').update(JSON.stringify(params.prompt)).digest('hex');
        return answer;
      },
    });
    const providerOptions = own === undefined ? {} : { providerOptions: { summarization: own } };
    await wrapLanguageModel({ model: inner, middleware }).doGenerate({
      prompt,
      ...providerOptions,
    });
    return sent;
  };
  return { send, bills: () => bills };
}

const emptyContext = emptyContent('').context;

const unknown = {
  total: undefined,
  noCache: undefined,
  cacheRead: undefined,
  cacheWrite: undefined,
};

const answer: Awaited<ReturnType<LanguageModelV4['doGenerate']>> = {
  content: [{ type: 'text', text: 'Understood.' }],
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: unknown,
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  },
  warnings: [],
};
