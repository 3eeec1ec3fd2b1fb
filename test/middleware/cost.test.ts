import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { explainSummarization, memoryStore, type SummarizationOptions } from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { chatModel, summarizerModel, textResult } from '../support/models.ts';
import { eventsOf, setUp, type SetUp } from '../support/set-up.ts';
import { throwing } from '../support/throwing.ts';

const secret = 'a secret of the operator';
const options = {
  contextLength: 200_000,
  optimizeFor: 'cost',
  secret,
  fallbackStrategy: false,
} satisfies SummarizationOptions;

/** An agent's task, and steps with large results. */
function agent(steps: number): ModelMessage[] {
  return [
    user('Migrate the store. Never touch the audit log.'),
    ...Array.from({ length: steps }, (_, step) =>
      toolStep(`call_${step}`, `${step}: ${words(step, 800)}`),
    ).flat(),
  ];
}

/** Sends every call of a conversation, each after its answer; returns the prompts as they were sent. */
async function converse(
  { model, inner }: SetUp,
  messages: readonly ModelMessage[],
  from = 1,
): Promise<readonly string[][]> {
  for (let count = from; count <= messages.length; count += 1)
    if (messages[count]?.role !== 'tool' && messages[count - 1]?.role !== 'assistant')
      await generateText({ model, messages: messages.slice(0, count) });
  return inner.doGenerateCalls.map(({ prompt }) =>
    prompt.map(({ role, content }) => JSON.stringify({ role, content })),
  );
}

/** Calls that do not send all of the call before. */
function breaks(prompts: readonly string[][]): number {
  return prompts.filter((prompt, index) => {
    const before = prompts[index - 1] ?? [];
    return before.some((message, place) => message !== prompt[place]);
  }).length;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("optimizeFor: 'cost'", () => {
  it('summarises a chat long before the trigger, and says why', async () => {
    const run = setUp(options);
    await converse(run, chat(101, 600));
    const starts = eventsOf(run, 'start').map(({ reason }) => reason);
    expect(starts.length).toBeGreaterThan(1);
    expect(new Set(starts)).toEqual(new Set(['cost']));
    const checks = eventsOf(run, 'check');
    const largest = Math.max(...checks.map(({ ratio }) => ratio));
    expect(largest).toBeLessThan(0.2);
    const due = checks.find(({ reason }) => reason === 'cost');
    expect(due?.cost?.pays).toBe(true);
    expect(due?.cost?.paidMore).toBeGreaterThan(0);
  });

  it('takes old tool outputs out in one step, and then sends the same bytes', async () => {
    const run = setUp(options);
    const prompts = await converse(run, agent(40));
    const condensed = run.events.filter(
      (event) => event.type === 'skipped' && event.reason === 'condensed',
    ).length;
    const summaries = run.events.filter(({ type }) => type === 'end').length;
    expect(condensed).toBeGreaterThan(2);
    expect(condensed).toBeLessThan(20);
    expect(breaks(prompts)).toBeLessThanOrEqual(condensed + summaries);
    const last = prompts.at(-1)?.join('\n') ?? '';
    expect(last).toContain('Never touch the audit log.');
    expect(last).toContain('[✓ read_file');
    expect(last).toContain(`39: ${words(39, 800)}`);
    expect(last).not.toContain(words(3, 800));
  });

  it('leaves tool outputs alone where that was asked for, and pinned ones', async () => {
    const kept = await converse(setUp({ ...options, condenseToolResults: false }), agent(12));
    expect(breaks(kept)).toBe(0);
    const pin = ({ content }: { content: unknown }): boolean =>
      JSON.stringify(content).includes('"call_2"');
    const pinned = await converse(setUp({ ...options, pin }), agent(30));
    expect(pinned.at(-1)?.join('\n')).toContain(words(2, 800));
  });

  it('decides alike in a process that knows nothing of the calls before', async () => {
    const store = memoryStore();
    const messages = agent(110);
    const cheap = { ...options, strategy: 'rule-based', preserveRecentTokenRatio: 0 } as const;
    const first = setUp({ ...cheap, store });
    const prompts = await converse(first, messages);
    expect(first.events.filter(({ type }) => type === 'end').length).toBeGreaterThan(0);
    const end = first.events.findLastIndex(({ type }) => type === 'end');
    const made = first.events.slice(0, end).filter(({ type }) => type === 'check').length;
    const after = prompts.slice(made);
    expect(after.some((prompt) => prompt.join('\n').includes('[✓ read_file'))).toBe(true);
    for (const [index, prompt] of after.entries()) {
      // Another object for the same store: nothing of what this process knows of it is known there.
      const other = setUp({ ...cheap, store: { ...store, isLocal: false } });
      const count = 1 + 2 * (made + index);
      const [sent] = await converse(other, messages.slice(0, count), count);
      expect(sent?.join('\n') === prompt.join('\n')).toBe(true);
      expect(other.events.filter(({ type }) => type === 'start')).toEqual([]);
    }
  });

  it('lets a model read facts, not outputs of tools that were taken out', async () => {
    const run = setUp({ ...options, prices: { openai: noCache } });
    await converse(run, agent(60));
    const read = JSON.stringify(run.summarizer.doGenerateCalls.map(({ prompt }) => prompt));
    expect(read).toContain('read_file: ');
    expect(read).not.toContain(words(3, 100));
  });

  it('never summarises what ends soon', async () => {
    const run = setUp(options);
    await converse(run, chat(21, 200));
    expect(run.events.filter(({ type }) => type === 'start')).toEqual([]);
  });

  it('summarises when the cache has gone cold, sooner than it would', async () => {
    const messages = chat(121, 600);
    const warm = setUp(options);
    await converse(warm, messages);
    const due = warm.inner.doGenerateCalls.length;
    const first = warm.events.findIndex(({ type }) => type === 'start');
    const callsBefore = warm.events.slice(0, first).filter(({ type }) => type === 'check').length;
    expect(callsBefore).toBeLessThan(due);
    vi.useFakeTimers({ toFake: ['Date'] });
    const sooner = setUp(options);
    const some = messages.slice(0, 2 * callsBefore - 7);
    await converse(sooner, some);
    expect(sooner.events.filter(({ type }) => type === 'start')).toEqual([]);
    const later = [...some, assistant('Yes.'), user('And then?')];
    vi.setSystemTime(Date.now() + 4 * 60_000);
    await generateText({ model: sooner.model, messages: later });
    expect(sooner.events.filter(({ type }) => type === 'start')).toEqual([]);
    vi.setSystemTime(Date.now() + 6 * 60_000);
    const latest = [...later, assistant('Yes.'), user('And then?')];
    await generateText({ model: sooner.model, messages: latest });
    expect(eventsOf(sooner, 'start')).toMatchObject([{ reason: 'cost' }]);
  });

  it('summarises sooner where the provider says that its cache has nothing', async () => {
    const firstAfter = async (cacheRead: (call: number) => number): Promise<number> => {
      let call = 0;
      const inner = new MockLanguageModelV4({
        provider: 'openai.responses',
        modelId: 'gpt-test',
        doGenerate: async ({ prompt }) => {
          const total = Math.ceil(JSON.stringify(prompt).length / 4);
          const cached = Math.floor(cacheRead((call += 1)) * total);
          const result = textResult('Understood.');
          const inputTokens = { total, noCache: total - cached, cacheRead: cached, cacheWrite: 0 };
          return { ...result, usage: { ...result.usage, inputTokens } };
        },
      });
      const run = setUp(options, { inner });
      await converse(run, chat(101, 600));
      const first = run.events.findIndex(({ type }) => type === 'start');
      return run.events.slice(0, first).filter(({ type }) => type === 'check').length;
    };
    const cached = await firstAfter(() => 0.95);
    expect(await firstAfter(() => 0)).toBeLessThan(cached);
    // A cache that is spread over machines misses a prompt or two.
    expect(await firstAfter((call) => (call % 3 === 0 ? 0.95 : 0))).toBe(cached);
  });

  it('survives summaries that fail, and asks again later', async () => {
    const summarizer = summarizerModel(throwing);
    const run = setUp(options, { summarizer });
    const prompts = await converse(run, chat(101, 600));
    expect(run.events.some(({ type }) => type === 'failed')).toBe(true);
    expect(breaks(prompts)).toBe(0);
    expect(summarizer.doGenerateCalls.length).toBeLessThan(20);
  });
});

describe('explainSummarization', () => {
  it('reckons with a prompt that the cache has where the summary is asked for in the conversation', async () => {
    const costWith = async (given: SummarizationOptions): Promise<number> => {
      const { cost } = await explainSummarization({
        messages: chat(101, 600),
        model: chatModel(),
        options: { contextLength: 200_000, optimizeFor: 'cost', ...given },
      });
      return cost?.cost ?? 0;
    };
    const byTranscript = await costWith({ summarizerInput: 'transcript' });
    const inPlace = await costWith({ summarizerInput: 'conversation' });
    expect(inPlace).toBeGreaterThan(0);
    expect(inPlace).toBeLessThan(byTranscript / 2);
  });
});

const noCache = { input: 1, cacheRead: 1, cacheWrite: 1, output: 4, cacheMinutes: 0 };
