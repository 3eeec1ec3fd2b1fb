import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { memoryStore, type SummarizationOptions } from '../../src/index.ts';
import { agentSteps, chat, words } from '../support/messages.ts';
import { summarizerModel } from '../support/models.ts';
import { setUp, type SetUp } from '../support/set-up.ts';
import { throwing } from '../support/throwing.ts';

const secret = 'a secret of the operator';
const options = {
  contextLength: 200_000,
  optimizeFor: 'cost',
  secret,
  fallbackStrategy: false,
} satisfies SummarizationOptions;

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

describe("optimizeFor: 'cost'", () => {
  it('takes old tool outputs out in one step, and then sends the same bytes', async () => {
    const run = setUp(options);
    const prompts = await converse(run, agentSteps(40));
    expect(breaks(prompts)).toBe(4);
    const last = prompts.at(-1)?.join('\n') ?? '';
    expect(last).toContain('Never touch the audit log.');
    expect(last).toContain('[✓ read_file');
    expect(last).toContain(`39: ${words(39, 800)}`);
    expect(last).not.toContain(words(3, 800));
  });

  it('leaves pinned tool outputs alone', async () => {
    const pin = ({ content }: { content: unknown }): boolean =>
      JSON.stringify(content).includes('"call_2"');
    const pinned = await converse(setUp({ ...options, pin }), agentSteps(30));
    expect(pinned.at(-1)?.join('\n')).toContain(words(2, 800));
  });

  it('decides alike in a process that knows nothing of the calls before', async () => {
    const store = memoryStore();
    const messages = agentSteps(122);
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
    await converse(run, agentSteps(60));
    const read = JSON.stringify(run.summarizer.doGenerateCalls.map(({ prompt }) => prompt));
    expect(read).toContain('read_file: ');
    expect(read).not.toContain(words(3, 100));
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

const noCache = { input: 1, cacheRead: 1, cacheWrite: 1, output: 4, cacheMinutes: 0 };
