import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { emptyContent } from '../../src/record/content-items.ts';
import type { SummarizationOptions, SummaryStore, SummaryStrategy } from '../../src/index.ts';
import { builtRoot } from '../built-package.ts';
import { contextLength } from './conversation.ts';

/** What all processes of these benchmarks seal with. */
const secret = 'the secret of the benchmark';

/** What one process sends and pays. */
export interface LocalProcess {
  readonly send: (
    prompt: LanguageModelV4Prompt,
    own?: Readonly<Record<string, string>>,
  ) => Promise<void>;
  readonly bills: () => number;
}

/** A model and a summariser that are functions of this process. */
export function localProcess(
  store: SummaryStore,
  {
    summary: words,
    ...more
  }: SummarizationOptions & {
    /** What the summariser says. Default: something else each time. */
    readonly summary?: string;
  } = {},
): LocalProcess {
  let bills = 0;
  const strategy: SummaryStrategy = {
    name: 'local',
    summarize: async () => {
      bills += 1;
      const summary = words ?? `They spoke, bill ${bills}.`;
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
    const inner: LanguageModelV4 = new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'local',
      doGenerate: answer,
    });
    const providerOptions = own === undefined ? {} : { providerOptions: { summarization: own } };
    await wrapLanguageModel({ model: inner, middleware }).doGenerate({
      prompt,
      ...providerOptions,
    });
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
