import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  compact,
  countPromptTokens,
  explainSummarization,
  listSummaries,
  memoryStore,
  readCompactCommand,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
  summarizeConversation,
  type SummaryContent,
} from '../src/index.ts';
import { emptyContent } from './support/empty-content.ts';
import { assistant, toolStep, user, words } from './support/messages.ts';
import { answer, chatModel, summarizerModel, textResult } from './support/models.ts';
import { eventsOf, force, recordOf, setUp } from './support/set-up.ts';

/** Statements of the design that no other file holds, each through the public API. */

const secret = 'a secret of the operator';

const messages: readonly ModelMessage[] = [
  user('Order QX-4411 goes to Berta Maier, 118.50 EUR. Never deliver before 9:30.'),
  assistant(`Noted for depot_north. ${words(1, 300)}`),
  ...toolStep('a', `exit code 1: no such address. ${words(2, 300)}`),
  user(`Write to berta@example.org then. ${words(3, 60)}`),
  assistant('Done.'),
  user('And now?'),
];
const options: SummarizationOptions = {
  contextLength: 100_000,
  minMessages: 1,
  preserveRecent: 2,
  preserveRecentTokenRatio: 0,
};

const writes = (summary: string, more: object = {}): MockLanguageModelV4 =>
  summarizerModel(JSON.stringify({ summary, ...more }));

describe('the score of a summary', () => {
  /** What a record scores that says these texts, each on top of the one before. */
  const scoresOf = async (...contents: readonly SummaryContent[]): Promise<readonly number[]> => {
    const answers = contents.values();
    const made = setUp({
      ...options,
      cooldownMessages: 0,
      strategy: {
        name: 'own',
        summarize: async () => ({
          content: answers.next().value ?? emptyContent(''),
          usage: { inputTokens: 0, outputTokens: 0 },
        }),
      },
    });
    const sent = [...messages];
    for (const _ of contents) {
      await force(made, sent);
      sent.push(assistant(words(7, 300)), user('Go on.'), assistant('Yes.'), user('And?'));
    }
    return eventsOf(made, 'end').map(({ score }) => score);
  };

  it('is the share of names and figures that the record holds', async () => {
    const all = 'QX-4411, 118.5 EUR, not before 9:30, depot_north, berta@example.org.';
    expect(await scoresOf(emptyContent(all))).toEqual([1]);
    expect(await scoresOf(emptyContent('QX-4411 for 118.50 EUR.'))).toEqual([2 / 5]);
    expect(await scoresOf(emptyContent('An order was placed.'))).toEqual([0]);
  });

  it('counts the constraints of the record before', async () => {
    const empty = emptyContent('QX-4411');
    const constraints = ['Never deliver on Sundays.'];
    const first = { ...empty, context: { ...empty.context, constraints } };
    const [, kept = 0] = await scoresOf(first, first);
    const [, lost = 0] = await scoresOf(first, empty);
    expect([kept, lost]).toEqual([1, 1 / 2]);
  });

  it('stands in the statistics and spans', async () => {
    const spans: Record<string, unknown> = {};
    const span = {
      setAttributes: (given: object) => Object.assign(spans, given),
      addEvent: () => {},
      setStatus: () => {},
      end: () => {},
    };
    const events: SummarizationEvent[] = [];
    const middleware = summarizationMiddleware({
      ...options,
      strategy: 'rule-based',
      onEvent: (event) => events.push(event),
      telemetry: { tracer: { startActiveSpan: (_name, _options, run) => run(span) } },
    });
    expect(middleware.stats().score).toBe(0);
    await force({ model: wrapLanguageModel({ model: chatModel(), middleware }) }, messages);
    const [end] = eventsOf({ events }, 'end');
    expect(end?.score).toBeGreaterThan(0);
    expect(middleware.stats().score).toBe(end?.score);
    expect(spans['summarization.score']).toBe(end?.score);
  });
});

describe('userQuotes: false', () => {
  it.each(['llm', 'rule-based'] as const)(
    'stores no text of the messages (%s)',
    async (strategy) => {
      const summarizer = writes('An order was placed, delivery failed.');
      const records = [true, false].map(async (userQuotes) => {
        const models = strategy === 'llm' ? { summarizerModelPreference: summarizer } : {};
        const made = setUp({ ...options, strategy, userQuotes, ...models });
        await force(made, messages);
        return recordOf(made);
      });
      const [quoted, silent] = await Promise.all(records);
      const { userQuotes = [] } = quoted?.context ?? {};
      expect(userQuotes.join(' ')).toContain('Berta Maier');
      expect(silent?.context.userQuotes ?? []).toEqual([]);
      expect(silent?.activity).toBeUndefined();
      const text = JSON.stringify(silent);
      for (const said of ['Berta Maier', 'no such address', 'Never deliver', 'Noted for'])
        expect(text).not.toContain(said);
      expect(text).toContain('QX-4411');
    },
  );

  it('carries no quotes of a record that has some', async () => {
    const store = memoryStore();
    const first = setUp({ ...options, strategy: 'rule-based', store, cooldownMessages: 0 });
    await force(first, messages);
    const further = [
      ...messages,
      assistant(words(5, 300)),
      user('Go on.'),
      assistant('Yes.'),
      user('And?'),
    ];
    const next = setUp({
      ...options,
      strategy: 'rule-based',
      store,
      cooldownMessages: 0,
      userQuotes: false,
    });
    await force(next, further);
    expect(recordOf(next).parentId).toBe(recordOf(first).id);
    expect(JSON.stringify(recordOf(next))).not.toContain('Berta Maier');
  });
});

describe('summaries of messages', () => {
  /** Condenses all messages but those for which it is told to fail. */
  const condensing = (fails: (prompt: string) => boolean = () => false): MockLanguageModelV4 =>
    new MockLanguageModelV4({
      doGenerate: async ({ prompt, responseFormat }) => {
        if (responseFormat?.type === 'json') return textResult(answer({ summary: 'They spoke.' }));
        if (fails(JSON.stringify(prompt))) throw new Error('away');
        return textResult('short');
      },
    });

  it('are counted, as known or asked for, with what they took away', async () => {
    const lines: string[] = [];
    const events: SummarizationEvent[] = [];
    const middleware = summarizationMiddleware({
      ...options,
      cooldownMessages: 0,
      summarizerModelPreference: condensing(),
      messageFilter: { toolResults: 'summary', agentMessages: 'summary' },
      onEvent: (event) => events.push(event),
      debug: (line) => lines.push(line),
      store: memoryStore(),
    });
    const model = wrapLanguageModel({ model: chatModel(), middleware });
    await force({ model }, messages);
    const { condensedHits, condensedMisses, condensedCharacters } = middleware.stats();
    expect([condensedHits, condensedMisses]).toEqual([0, 2]);
    expect(condensedCharacters).toBeGreaterThan(1000);
    expect(lines.join('\n')).toMatch(
      /condensed hits=0 misses=2 charactersBefore=\d+ charactersAfter=10/,
    );
    // The same texts in another conversation.
    await force({ model }, [user('Another beginning.'), ...messages.slice(1)]);
    expect(middleware.stats()).toMatchObject({ condensedHits: 2, condensedMisses: 2 });
    expect(eventsOf({ events }, 'condensed')).toHaveLength(2);
  });

  it('tell of one that fails', async () => {
    const made = setUp(
      { ...options, messageFilter: { toolResults: 'summary' } },
      { summarizer: condensing((prompt) => prompt.includes('no such address')) },
    );
    await force(made, messages);
    const failed = eventsOf(made, 'failed').filter(({ stage }) => stage === 'condense');
    expect(failed).toMatchObject([{ reason: 'transport' }]);
    expect(eventsOf(made, 'condensed')).toMatchObject([{ hits: 0, misses: 1, charactersAfter: 0 }]);
    expect(recordOf(made).strategy).toBe('llm');
  });
});

describe('functions', () => {
  it.each(['/compact', '/Compact', '/resummarize'])('reads %s', (command) => {
    expect(readCompactCommand(command)).toEqual({ force: true });
    expect(readCompactCommand(`${command} keep the API`)).toMatchObject({
      instructions: 'keep the API',
    });
    expect(readCompactCommand(`${command}s`)).toBeUndefined();
  });

  it('take options alike', async () => {
    const model = chatModel();
    const own = { ...options, strategy: 'rule-based' } as const;
    const written = await summarizeConversation({ messages, model, options: own });
    expect(written).toMatchObject({ ok: true, record: { strategy: 'rule-based' } });
    const former = await summarizeConversation({ messages, model, config: own });
    expect(former).toMatchObject({ ok: true, record: { strategy: 'rule-based' } });
    const { record } = await compact({ messages, model, options: own, force: true });
    expect(record?.strategy).toBe('rule-based');
    const explained = await explainSummarization({
      messages,
      model,
      options: own,
      providerOptions: { summarization: { force: true } },
    });
    expect(explained).toMatchObject({ act: 'summarize' });
  });

  it.each([
    ['openai', 'gpt-counted'],
    ['anthropic', 'claude-counted'],
    ['google', 'gemini-counted'],
    ['other', 'llama-3-counted'],
    ['other', 'qwen-3-counted'],
    ['other', 'other'],
  ])('count what the check event says (%s, %s)', async (provider, modelId) => {
    const inner = new MockLanguageModelV4({
      provider,
      modelId,
      doGenerate: async () => textResult('Hi.'),
    });
    const { tokens, total } = await countPromptTokens({ messages, model: inner });
    const made = setUp({ ...options, contextLength: Math.floor((tokens ?? 0) * 1.2) }, { inner });
    await generateText({ model: made.model, messages: [...messages] });
    const [check] = eventsOf(made, 'check');
    expect(check).toMatchObject({ measuredBy: 'count', tokens });
    expect(tokens).toBeGreaterThanOrEqual(total);
    expect((await countPromptTokens({ messages })).tokens).toBeUndefined();
  });

  it('list what summaries of a conversation with an id stand for', async () => {
    const store = memoryStore();
    const made = setUp({ ...options, strategy: 'rule-based', store, secret });
    const conversationId = 'chat 1';
    await force(made, messages, { conversationId });
    const [byId] = await listSummaries({ store, secret, conversationId });
    expect(byId?.originalMessageIds).toBeUndefined();
    const [byBoth] = await listSummaries({ store, secret, conversationId, messages });
    expect(byBoth?.record).toEqual(byId?.record);
    expect(byBoth?.originalMessageIds).toHaveLength(recordOf(made).coveredMessages);
  });
});
