import { wrapLanguageModel } from 'ai';
import { textResult } from '../../test/support/models.ts';
import { turns } from '../../test/support/until.ts';
import { builtRoot } from '../built-package.ts';
import { chat } from '../messages.ts';
import { modelThat } from '../model-that.ts';
import { chatting, countedSummarizer } from './models.ts';

const { memoryStore, summarizationMiddleware } = builtRoot;

/** Models answer from outside: never within the turn of the event loop in which they are asked. */
const nextTurn = async (): Promise<void> => turns(1);

/** What was measured, by what it is called. */
export type Figures = Readonly<Record<string, string | number>>;

/** Requests of one conversation at its trigger, all at once. */
export async function racers(): Promise<Figures> {
  const summarizer = countedSummarizer(nextTurn);
  const sent = new Set<string>();
  const model = wrapLanguageModel({
    model: modelThat(chatting, async ({ prompt }) => {
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

/** Prompts of conversations at their trigger. */
function promptsOf(calls: number): readonly ReturnType<typeof chat>[] {
  return Array.from({ length: calls }, (_, name) => chat(name, 19, 40));
}

/** Conversations that cross their trigger at the same moment. */
export async function manyConversations(
  calls = 500,
  prompts: ReturnType<typeof promptsOf> = promptsOf(calls),
): Promise<Figures> {
  const summarizer = countedSummarizer(nextTurn);
  let summarized = 0;
  const model = wrapLanguageModel({
    model: modelThat(chatting, async ({ prompt }) => {
      if (JSON.stringify(prompt).includes('[summary-depth:0]')) summarized += 1;
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
  const results = await Promise.allSettled(
    prompts.map(async (prompt) => model.doGenerate({ prompt })),
  );
  return {
    conversations: calls,
    summaries: summarizer.calls(),
    'sent with theirs': summarized,
    failures: results.filter(({ status }) => status === 'rejected').length,
  };
}

/** Milliseconds between two looks at the memory that is in use. */
const lookMs = 20;

/** The most that any number of conversations at once may take: milliseconds of the event loop, and MB of memory. */
const [longestBlockMs, mostMemoryMb] = [100, 500];

/** Measures the longest work between two turns of the event loop, in milliseconds of its own time on the processor. */
function watchTurns(): () => number {
  let [longest, isOver] = [0, false];
  let before = process.threadCpuUsage();
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, user + system);
    before = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  return () => {
    isOver = true;
    return longest / 1000;
  };
}

/**
 * The same, and for how long it keeps the event loop from others, and how much memory it takes.
 *
 * @throws where that is more than it may be.
 */
export async function heldUp(calls: number): Promise<Figures> {
  // What is loaded once is not counted.
  await manyConversations(10);
  const prompts = promptsOf(calls);
  const before = process.memoryUsage().rss;
  let most = before;
  const looking = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), lookMs);
  const longest = watchTurns();
  const figures = await manyConversations(calls, prompts);
  const blockMs = Math.round(longest());
  clearInterval(looking);
  const memoryMb = Math.round((most - before) / 2 ** 20);
  if (blockMs > longestBlockMs || memoryMb > mostMemoryMb)
    throw new Error(
      `${calls} conversations at once block the event loop for ${blockMs} ms and take ${memoryMb} MB: at most ${longestBlockMs} ms and ${mostMemoryMb} MB are allowed.`,
    );
  return { ...figures, 'longest block, ms': blockMs, 'memory, MB': memoryMb };
}
