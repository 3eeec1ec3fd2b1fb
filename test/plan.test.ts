import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  memoryStore,
  summarizationMiddleware,
  type SummarizationOptions,
  summaryRecordSchema,
} from '../src/index.ts';
import {
  ensurePromptTemplates,
  loadPromptTemplates,
  markdownTreeStore,
} from '../src/entries/node/index.ts';
import { sqliteStore } from '../src/state/stores/sqlite-store.ts';
import { summarize } from '../src/entries/text/index.ts';
import { setUp as folders, temporaryFolder, write } from './node/folders.ts';
import { assistant, chat, toolStep, user, words } from './support/messages.ts';
import { answer, summarizerModel, textResult } from './support/models.ts';
import { lastPrompt, shapeOf, summaryOf, textOf } from './support/prompts.ts';
import { eventsOf, force, recordOf, setUp, type SetUp } from './support/set-up.ts';

/** The plan of the project, statement by statement as it was written, through the public API. */

/** Sends a conversation, with instructions if there are some. */
const send = async (
  { model }: Pick<SetUp, 'model'>,
  messages: readonly ModelMessage[],
  instructions?: string,
) =>
  generateText({
    model,
    messages: [...messages],
    ...(instructions === undefined ? {} : { instructions }),
  });

/** Instructions of 3,400 tokens, which no summary shortens. */
const long = words(1, 3400);

const decisions = (client: SetUp): readonly string[] =>
  eventsOf(client, 'check').map(({ act, reason }) => `${act} ${reason}`);

describe('the middleware', () => {
  it('intercepts transformParams without any option: a model of its own writes the summary', async () => {
    const inner = new MockLanguageModelV4({
      provider: 'openai.chat',
      modelId: 'gpt-4',
      doGenerate: async ({ responseFormat }) =>
        textResult(responseFormat?.type === 'json' ? answer({ summary: 'Rivers.' }) : 'Yes.'),
    });
    const model = wrapLanguageModel({
      model: inner,
      middleware: summarizationMiddleware(),
    });
    const messages = chat(41, 170);
    const { text } = await send({ model }, messages);
    expect(text).toBe('Yes.');
    const prompt = inner.doGenerateCalls.at(-1)?.prompt ?? [];
    expect(summaryOf(prompt)).toContain('Rivers.');
    expect(prompt.length).toBeLessThan(messages.length);
    expect(textOf(prompt.at(-1))).toBe(messages.at(-1)?.content);
  });

  it.each([0.5, 0.8])('summarizes from a share of %f of the context on', async (share) => {
    const client = setUp({ contextLength: 2000, triggerTokenRatio: share });
    for (let count = 13; eventsOf(client, 'end').length === 0; count += 2)
      await send(client, chat(count, 40));
    const ratios = eventsOf(client, 'check').map(({ ratio }) => ratio);
    const last = ratios.pop() ?? 0;
    expect(last).toBeGreaterThanOrEqual(share);
    expect(last).toBeLessThan(1);
    expect(ratios.length).toBeGreaterThan(0);
    for (const ratio of ratios) expect(ratio).toBeLessThan(share);
  });

  it('asks for an object of the record by a schema, and keeps a record', async () => {
    const client = setUp({ store: memoryStore() });
    await send(client, chat(19));
    const [call] = client.summarizer.doGenerateCalls;
    const properties = ['summary', 'keyPoints', 'constraints', 'decisions'];
    expect(call?.responseFormat).toMatchObject({ type: 'json', schema: { type: 'object' } });
    for (const name of properties) expect(JSON.stringify(call?.responseFormat)).toContain(name);
    expect(summaryRecordSchema.parse(recordOf(client))).toEqual(recordOf(client));
  });

  it('puts a system message with the depth ahead of the preserved messages', async () => {
    const client = setUp({ preserveRecentTokenRatio: 0 });
    const messages = chat(19);
    await send(client, messages, 'Be kind.');
    expect(shapeOf(lastPrompt(client.inner))).toMatch(/^sSu(?:au)*$/);
    const [system, summary] = lastPrompt(client.inner);
    expect(system?.content).toBe('Be kind.');
    expect(summary?.role).toBe('system');
    expect(textOf(summary)).toMatch(/^\[summary-depth:0\]/);
    const tail = lastPrompt(client.inner).slice(-6).map(textOf);
    expect(tail).toEqual(messages.slice(-6).map(({ content }) => content));
  });
});

describe('the decision', () => {
  const options: SummarizationOptions = {
    contextLength: 5000,
    maxSummaryTokens: 300,
    preserveRecentTokenRatio: 0,
    cooldownMessages: 0,
  };

  it('waits after a summary until the prompt has grown again (hysteresis)', async () => {
    const client = setUp(options);
    for (let count = 19; count < 40; count += 2) await send(client, chat(count, 30), long);
    const [first, ...others] = decisions(client);
    expect(first).toBe('summarize token-ratio');
    expect(others).toContain('none hysteresis');
    expect(others.slice(others.indexOf('none hysteresis'))).toContain('summarize token-ratio');
    const check = eventsOf(client, 'check').find(({ reason }) => reason === 'hysteresis');
    expect(check?.ratio).toBeGreaterThanOrEqual(0.8);
  });

  it('waits for new messages after a summary (cooldown)', async () => {
    const client = setUp({ ...options, cooldownMessages: 4 });
    const messages = chat(19, 30);
    await send(client, messages, long);
    await send(client, [...messages, assistant(words(2, 400)), user('And?')], long);
    expect(decisions(client)).toEqual(['summarize token-ratio', 'none cooldown']);
  });

  it.each([
    ['halt', [0, 1]],
    ['rebase', [0, 1, 0, 1]],
  ] as const)('limits the chain of summaries of summaries (%s)', async (atMaxDepth, depths) => {
    const client = setUp({ ...options, maxSummaryChainDepth: 1, atMaxDepth });
    for (const count of [19, 29, 39, 49]) await force(client, chat(count, 40));
    expect(eventsOf(client, 'end').map(({ depth }) => depth)).toEqual(depths);
  });

  it('acts on a prompt that does not fit, however few messages it has (emergency)', async () => {
    const client = setUp({ ...options, contextLength: 1000, minMessages: 12, preserveRecent: 2 });
    await send(client, chat(9, 150));
    expect(decisions(client)).toEqual(['emergency context-overflow']);
    expect(summaryOf(lastPrompt(client.inner))).toBeDefined();
  });
});

describe('without a model', () => {
  const messages = [
    user('Read the store. Never touch the audit log.'),
    ...toolStep('store', `export const limit = 120;\n${words(2, 400)}`),
    assistant(`The limit is 120. ${words(3, 100)}`),
    ...chat(9, 60),
  ];

  it('writes the same record each time, with a line of facts for each tool call', async () => {
    const records = [1, 2].map(async () => {
      const client = setUp({ strategy: 'rule-based', contextLength: 10_000 });
      await force(client, messages);
      expect(client.summarizer.doGenerateCalls).toEqual([]);
      const { id: _, timestamp: __, ...record } = recordOf(client);
      return record;
    });
    const [one, other] = await Promise.all(records);
    expect(one).toEqual(other);
    expect(one?.strategy).toBe('rule-based');
    expect(one?.summary).toContain('[✓ read_file: File: src/store.ts');
    expect(JSON.stringify(one)).toContain('Never touch the audit log.');
  });

  it('takes over from a model that fails; minUserTurns is read there alone', async () => {
    const records = [answer({ summary: 'Rivers.' }), 'no object'].map(async (answerText) => {
      const own = { contextLength: 10_000, minUserTurns: 50 };
      const client = setUp(own, { summarizer: summarizerModel(answerText) });
      await force(client, messages);
      return recordOf(client);
    });
    const [model, rules] = await Promise.all(records);
    expect(model?.summary).toBe('Rivers.');
    expect(rules).toMatchObject({ strategy: 'rule-based', degraded: true });
    expect(rules?.summary).toMatch(/^• \(few user messages\)\n/);
  });
});

describe('texts', () => {
  it.each([
    ['NONE', 50, [0, 0]],
    ['BRIEF', 300, [0, 0]],
    ['STANDARD', 2000, [0, 0]],
    ['DETAILED', 9000, [5, 0]],
    ['HIERARCHICAL', 24_000, [12, 3]],
  ] as const)('are summarized at level %s at %i tokens', async (level, tokens, layers) => {
    const model = summarizerModel('Of rivers.');
    const paragraphs = Array.from({ length: tokens / 50 }, (_, index) => words(index, 50));
    const result = await summarize(paragraphs.join('\n\n'), { model });
    expect(result.level).toBe(level);
    const { l1Summaries = [], l2Summaries = [] } = result.hierarchical ?? {};
    expect([l1Summaries.length, l2Summaries.length]).toEqual(layers);
    const folder = temporaryFolder();
    const trees = markdownTreeStore({ folder });
    await trees.persist('chat', result);
    const [name = ''] = readdirSync(folder);
    const files = readdirSync(join(folder, name)).map((file) => file.slice(0, 2));
    expect(files.filter((file) => file === 'L1')).toHaveLength(layers[0]);
    expect(files.filter((file) => file === 'L2')).toHaveLength(layers[1]);
    expect(files.at(-1)).toBe('L3');
    expect(await trees.getFinalSummary('chat')).toBe(result.summary);
  });
});

describe('what is kept beside the code', () => {
  it('has prompts in Markdown files, which a project may change', async () => {
    const { project, options } = folders();
    ensurePromptTemplates(project);
    write(join(project, 'summarize-first.md'), 'As a pirate: {content}');
    const client = setUp({ prompts: loadPromptTemplates(options) });
    await send(client, chat(19));
    expect(JSON.stringify(client.summarizer.doGenerateCalls)).toContain('As a pirate: [');
  });

  it.each([
    ['memory', () => memoryStore()],
    ['SQLite', () => sqliteStore({ path: join(temporaryFolder(), 'summaries.db') })],
  ])('has summaries in a store, which others find (%s)', async (_, open) => {
    const options = { store: open(), secret: 'a secret of the operator' };
    const first = setUp(options);
    const second = setUp(options);
    await send(first, chat(19));
    await send(second, chat(19));
    expect(lastPrompt(second.inner)).toEqual(lastPrompt(first.inner));
    expect(summaryOf(lastPrompt(second.inner))).toBeDefined();
    expect(second.summarizer.doGenerateCalls).toEqual([]);
  });
});
