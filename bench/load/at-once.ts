import { monitorEventLoopDelay } from 'node:perf_hooks';
import { wrapLanguageModel } from 'ai';
import { textResult } from '../../test/support/models.ts';
import { builtRoot } from '../built-package.ts';
import { chat, countedSummarizer, modelThat } from './models.ts';

const { memoryStore, summarizationMiddleware } = builtRoot;

/** What was measured, by what it is called. */
export type Figures = Readonly<Record<string, string | number>>;

/** Models answer from outside: never within the turn of the event loop in which they are asked. */
const nextTurn = async (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

const answeringModel = (): ReturnType<typeof modelThat> =>
  modelThat(async () => {
    await nextTurn();
    return textResult('Yes.');
  });

function milliseconds(nanoseconds: number): number {
  return Math.round(nanoseconds / 1e5) / 10;
}

/** Calls a second while nothing is to be done: 64 at once, prompts of 100 messages. */
export async function idleThroughput(): Promise<Figures> {
  const inner = answeringModel();
  const middleware = summarizationMiddleware({ contextLength: 128_000 });
  const model = wrapLanguageModel({ model: inner, middleware });
  const prompts = Array.from({ length: 64 }, (_, name) => chat(name, 101, 20));
  const total = 20_000;
  const run = async (wrapped: typeof inner): Promise<number> => {
    let sent = 0;
    const startedAt = performance.now();
    const client = async (name: number): Promise<void> => {
      while (sent < total) {
        sent += 1;
        // A request brings objects of its own.
        const prompt = (prompts[name] ?? []).map((one) => ({ ...one }));
        await wrapped.doGenerate({ prompt });
      }
    };
    await Promise.all(prompts.map(async (_, name) => client(name)));
    return Math.round((total * 1000) / (performance.now() - startedAt));
  };
  await run(model);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const calls = await run(model);
  delay.disable();
  return {
    calls: total,
    'calls a second': calls,
    'without the middleware': await run(inner),
    'event-loop delay p99, ms': milliseconds(delay.percentile(99)),
  };
}

/** Requests of one conversation at its trigger, all at once. */
export async function racers(): Promise<Figures> {
  const summarizer = countedSummarizer(nextTurn);
  const sent = new Set<string>();
  const model = wrapLanguageModel({
    model: modelThat(async ({ prompt }) => {
      sent.add(JSON.stringify(prompt));
      return textResult('Yes.');
    }),
    middleware: summarizationMiddleware({
      contextLength: 1000,
      summarizerModelPreference: summarizer.model,
    }),
  });
  const calls = 200;
  const results = await Promise.allSettled(
    Array.from({ length: calls }, async () => model.doGenerate({ prompt: chat(1, 19, 40) })),
  );
  return {
    calls,
    summaries: summarizer.calls(),
    'distinct prompts': sent.size,
    failures: results.filter(({ status }) => status === 'rejected').length,
  };
}

/** Conversations that cross their trigger at the same moment. */
export async function manyConversations(): Promise<Figures> {
  const summarizer = countedSummarizer(nextTurn);
  let summarised = 0;
  const model = wrapLanguageModel({
    model: modelThat(async ({ prompt }) => {
      if (JSON.stringify(prompt).includes('[summary-depth:0]')) summarised += 1;
      await nextTurn();
      return textResult('Yes.');
    }),
    middleware: summarizationMiddleware({
      contextLength: 1000,
      store: memoryStore(),
      maxWaitMs: 600_000,
      summarizerModelPreference: summarizer.model,
    }),
  });
  const calls = 500;
  const prompts = Array.from({ length: calls }, (_, name) => chat(name, 19, 40));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const results = await Promise.allSettled(
    prompts.map(async (prompt) => model.doGenerate({ prompt })),
  );
  delay.disable();
  return {
    conversations: calls,
    summaries: summarizer.calls(),
    'sent with theirs': summarised,
    failures: results.filter(({ status }) => status === 'rejected').length,
    'event-loop delay p99, ms': milliseconds(delay.percentile(99)),
  };
}

/** One call of two million tokens with nothing known, at its trigger, while others want the event loop. */
export async function largePrompt(): Promise<Figures> {
  const model = wrapLanguageModel({
    model: answeringModel(),
    middleware: summarizationMiddleware({ contextLength: 2_100_000, strategy: 'rule-based' }),
  });
  const [prompt, other] = [chat(1, 2001, 1000), chat(2, 2001, 1000)];
  const { total } = await builtRoot.countPromptTokens({
    messages: prompt,
    model: { provider: 'openai', modelId: 'gpt-5' },
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const others = { turns: 0, isDone: false };
  const work = async (): Promise<void> => {
    while (!others.isDone) {
      others.turns += 1;
      await nextTurn();
    }
  };
  const working = work();
  await model.doGenerate({ prompt: other });
  others.isDone = true;
  await working;
  delay.disable();
  return {
    tokens: total,
    'turns of the event loop for others': others.turns,
    'event-loop delay p99, ms': milliseconds(delay.percentile(99)),
    'longest, ms': milliseconds(delay.max),
  };
}
