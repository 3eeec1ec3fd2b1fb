import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  eraseConversation,
  memoryStore,
  type SummaryResult,
  summaryTreeId,
  type SummaryTreeStore,
} from '../../src/index.ts';
import { markdownTreeStore } from '../../src/entries/node/index.ts';
import { temporaryFolder } from '../node/folders.ts';
import { emptyContent } from '../support/empty-content.ts';
import { chat } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { eventsOf, setUp, type SetUp } from '../support/set-up.ts';
import { until } from '../support/until.ts';
import { throwing, rejecting } from '../support/throwing.ts';

/** A tree store that remembers what it was given. */
function spyTrees(persist: () => Promise<void> = async () => {}) {
  const persisted: { readonly id: string; readonly result: SummaryResult }[] = [];
  const store: SummaryTreeStore = {
    persist: (id, result) => {
      persisted.push({ id, result });
      return persist();
    },
    getFinalSummary: async () => undefined,
    list: async () => [],
    delete: async () => {},
  };
  return { store, persisted };
}

const hidden = (text: string): string => text.replaceAll('rivers', 'r***');

/** Calls the model with a chat of so many messages. */
async function call(
  { model }: Pick<SetUp, 'model'>,
  count: number,
  conversationId?: string,
  first = 'Hello.',
): Promise<void> {
  const [, ...messages] = chat(count);
  await generateText({
    model,
    messages: [{ role: 'user', content: first }, ...messages],
    ...(conversationId === undefined
      ? {}
      : { providerOptions: { summarization: { conversationId } } }),
  });
}

describe('summaryTreeStore', () => {
  it('holds the summary of a conversation from the call that made it on', async () => {
    const trees = markdownTreeStore({ folder: temporaryFolder() });
    const keyPoints = ['The Danube is long.'];
    const summarizer = summarizerModel(answer({ summary: 'They spoke of rivers.', keyPoints }));
    const { events, model } = setUp(
      { summaryTreeStore: trees, namespace: 'tenant' },
      { summarizer },
    );
    await call({ model }, 19, 'chat-42');
    // The call does not wait for a slow disk.
    await until(() => events.some(({ type }) => type === 'persisted'));
    const treeId = summaryTreeId({ conversationId: 'chat-42', namespace: 'tenant' });
    expect(await trees.getFinalSummary(treeId)).toBe(
      'They spoke of rivers.\n\n## Key points\n\n- The Danube is long.\n\n## Participants\n\n- user\n- assistant',
    );
    const end = events.find((event) => event.type === 'end');
    const [final] = await trees.list(treeId);
    const { level, ...sizes } = end?.record.metrics ?? {};
    expect(final).toMatchObject({ summaryLevel: level, ...sizes });
    expect(events).toContainEqual({
      type: 'persisted',
      treeId,
      conversationId: 'chat-42',
      provider: 'openai.responses',
      modelId: 'gpt-test',
    });
  });

  it('holds the summary that one was made from', async () => {
    const trees = markdownTreeStore({ folder: temporaryFolder() });
    const summarizer = summarizerModel(
      answer({ summary: 'They spoke of rivers.' }),
      answer({ summary: 'They spoke of rivers, then of lakes.' }),
    );
    const made = setUp({ summaryTreeStore: trees, redact: hidden }, { summarizer });
    await call(made, 19, 'chat-42');
    await call(made, 39, 'chat-42');
    await until(() => eventsOf(made, 'persisted').length === 2);
    const [before, now, ...others] = await trees.list('chat-42');
    const [first] = eventsOf(made, 'end');
    expect(before).toMatchObject({ id: 'chat-42:summary:L1:0', layer: 1 });
    expect(before?.content).toMatch(/^They spoke of r\*\*\*\./);
    expect(before?.outputTokens).toBe(first?.record.metrics.outputTokens);
    expect(now?.content).toMatch(/^They spoke of r\*\*\*, then of lakes\./);
    expect(others).toEqual([]);
  });

  it('holds what code added to a summary under a heading', async () => {
    const trees = spyTrees();
    const content = {
      ...emptyContent('They spoke.'),
      activity: 'The user greeted.\nFlour was sold.',
    };
    const usage = { inputTokens: 1, outputTokens: 1 };
    const strategy = { name: 'own', summarize: async () => ({ content, usage }) };
    await call(setUp({ summaryTreeStore: trees.store, strategy }), 19);
    expect(trees.persisted[0]?.result.summary).toMatch(
      /\n\n## Activity\n\n- The user greeted\.\n- Flour was sold\.$/,
    );
  });

  it('is written once for each summary, and not by those who share it', async () => {
    const trees = spyTrees();
    const store = memoryStore();
    const options = { summaryTreeStore: trees.store, store };
    const first = setUp(options);
    await Promise.all([call(first, 19), call(first, 19), call(first, 19)]);
    await call(first, 19);
    await call(setUp(options), 19);
    expect(trees.persisted).toHaveLength(1);
    await call(first, 39);
    expect(trees.persisted).toHaveLength(2);
  });

  it('keeps a conversation without an id under one that stays, and shares it with no other', async () => {
    const trees = spyTrees();
    const options = { summaryTreeStore: trees.store, store: memoryStore() };
    await call(setUp(options), 19);
    await call(setUp(options), 39);
    await call(setUp(options), 19, undefined, 'Good evening.');
    await call(setUp({ ...options, namespace: 'other' }), 19);
    const ids = trees.persisted.map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^\/[0-9a-f]{64}$/);
  });

  it.each([
    ['rejects', rejecting],
    ['throws', throwing],
  ])('leaves the call as it would have been when it %s', async (_name, persist) => {
    const { inner, events, model } = setUp({ summaryTreeStore: spyTrees(persist).store });
    await call({ model }, 19);
    expect(summaryOf(lastPrompt(inner))).toContain('They spoke of rivers.');
    const failures = events.filter((event) => event.type === 'failed');
    expect(failures).toEqual([
      expect.objectContaining({ stage: 'persist', error: new Error('down') }),
    ]);
  });

  it('does not hold a call up when it never answers', async () => {
    const hanging = Promise.withResolvers<void>();
    const summaryTreeStore = spyTrees(() => hanging.promise).store;
    const { inner, events, model } = setUp({ summaryTreeStore });
    await call({ model }, 19);
    expect(summaryOf(lastPrompt(inner))).toContain('They spoke of rivers.');
    expect(events.some(({ type }) => type === 'persisted')).toBe(false);
    hanging.resolve();
    await until(() => events.some(({ type }) => type === 'persisted'));
  });

  describe('of a conversation that is erased', () => {
    const given = (id: string | undefined) =>
      id === undefined
        ? { messages: [{ role: 'user' as const, content: 'Hello.' }, ...chat(19).slice(1)] }
        : { conversationId: id };

    it('is removed too where it was just being written', async () => {
      const hanging = Promise.withResolvers<void>();
      const trees = spyTrees(() => hanging.promise);
      const removed: string[] = [];
      const remove = async (id: string): Promise<void> => void removed.push(id);
      const store = memoryStore();
      await call(setUp({ summaryTreeStore: { ...trees.store, delete: remove }, store }), 19);
      await eraseConversation({ store, ...given(undefined) });
      expect(removed).toEqual([]);
      hanging.resolve();
      await until(() => removed.length > 0);
      expect(removed).toEqual([trees.persisted[0]?.id]);
    });

    it.each([undefined, 'chat-42'])('is named where it was not given (id %s)', async (id) => {
      const trees = markdownTreeStore({ folder: temporaryFolder() });
      const store = memoryStore();
      const { events, model } = setUp({ summaryTreeStore: trees, store });
      await call({ model }, 19, id);
      await until(() => events.some(({ type }) => type === 'persisted'));
      const { treesLeft } = await eraseConversation({ store, ...given(id) });
      expect(treesLeft).toEqual(eventsOf({ events }, 'persisted').map(({ treeId }) => treeId));
      for (const treeId of treesLeft) {
        expect(await trees.list(treeId)).toHaveLength(1);
        await trees.delete(treeId);
        expect(await trees.list(treeId)).toEqual([]);
      }
    });

    it('can be removed by a second erasure, where the tree store was down', async () => {
      const trees = spyTrees();
      const removed: string[] = [];
      let isDown = true;
      const down: SummaryTreeStore = {
        ...trees.store,
        delete: async (id) => {
          if (isDown) throw new Error('down');
          removed.push(id);
        },
      };
      const store = memoryStore();
      await call(setUp({ summaryTreeStore: down, store }), 19);
      const input = { store, summaryTreeStore: down, ...given(undefined) };
      await expect(eraseConversation(input)).rejects.toMatchObject({
        reason: 'store',
        retryable: true,
        cause: new Error('down'),
      });
      isDown = false;
      await eraseConversation(input);
      expect(removed).toEqual([trees.persisted[0]?.id]);
    });
  });
});
