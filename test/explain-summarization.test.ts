import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  memoryStore,
  ruleBasedStrategy,
  type SummarizationOptions,
} from '../src/index.ts';
import { assistant, chat, toolStep, user, words } from './support/messages.ts';
import { chatModel } from './support/models.ts';
import { called, setUp } from './support/set-up.ts';
import { sharedStore } from './support/shared-store.ts';

const shared = { contextLength: 1000, store: memoryStore() };

describe('explainSummarization', () => {
  it('says what would be covered, what kept and what read, as the middleware then does it', async () => {
    const messages = chat(19);
    const inner = chatModel();
    const before = await explainSummarization({ messages, model: inner, options: shared });
    const [coveredMessages, tokensBefore] = [13, 991];
    const reading = { summarizerInputTokens: 676, maxSummaryTokens: 100 };
    const plan = { coveredMessages, tailMessages: 6, ...reading };
    const size = { tokens: tokensBefore, contextLength: 1000, ratio: 0.991, messageCount: 19 };
    expect(before).toEqual({ act: 'summarize', reason: 'token-ratio', ...size, plan });
    const { events } = await called(messages, shared, { inner });
    expect(events.find(({ type }) => type === 'end')).toMatchObject({
      coveredMessages,
      tokensBefore,
    });

    const next = [...messages, assistant('Yes.'), user('So?')];
    const after = await explainSummarization({ messages: next, model: inner, options: shared });
    expect(after).toMatchObject({
      act: 'none',
      applied: { depth: 0, coveredMessages },
      lastSummarization: { depth: 0, messageCount: 19 },
    });
    expect(after.tokens).toBeLessThan(before.tokens);
  });

  it('has no side effect: no model is called, nothing is stored', async () => {
    const { open, entries } = sharedStore();
    const inner = chatModel();
    const options = { contextLength: 1000, store: open(), secret: 'a secret for the tests' };
    await explainSummarization({ messages: chat(31), model: inner, options });
    expect(entries.size).toBe(0);
    expect(inner.doGenerateCalls).toHaveLength(0);
  });
});

describe('the context length that is shown', () => {
  const budget = { anthropic: { thinking: { type: 'enabled', budgetTokens: 15_000 } } };

  it.each([
    ['the input limit of the table', 'openai', 'gpt-5-mini', {}, {}, 272_000],
    ['less the room for the answer', 'openai', 'gpt-test', {}, { maxOutputTokens: 50_000 }, 50_000],
    [
      'less the room for thinking',
      'anthropic',
      'claude-test',
      {},
      { maxOutputTokens: 5000, providerOptions: budget },
      80_000,
    ],
    ['all that the option says', 'openai', 'gpt-test', { contextLength: 9000 }, {}, 9000],
  ])('is the one whose share is the trigger: %s', async (...row) => {
    const [_what, provider, modelId, own, call, contextLength] = row;
    const inner = chatModel({ provider, modelId });
    const options: SummarizationOptions = {
      contextLength: modelId === 'gpt-5-mini' ? undefined : 100_000,
      providers: { [provider]: { tokenMultiplier: 10 } },
      preserveRecent: 2,
      ...own,
    };
    const acts = [];
    for (const share of [0.75, 0.85]) {
      const messages = chat(21, (share * contextLength) / 10 / 21 - 8);
      const explanation = await explainSummarization({ ...call, messages, model: inner, options });
      const { tokens, ratio, act } = explanation;
      expect(ratio).toBeCloseTo(tokens / contextLength);
      acts.push(act);
      const { model, events } = setUp(options, { inner });
      const result = await generateText({ ...call, model, messages });
      const [check] = events;
      const metadata = result.providerMetadata?.['summarization'];
      expect(metadata).toMatchObject({ contextLength });
      expect(check).toMatchObject({ type: 'check', ratio, act });
    }
    expect(acts).toEqual(['none', 'summarize']);
  });
});

const read = [
  user('Read it all.'),
  ...toolStep('a', words(1, 600)),
  ...toolStep('b', words(2, 20)),
  ...chat(10, 5),
  user('And?'),
];

/** What the events of a call say was done about it. */
async function done(all: SummarizationOptions, messages: ModelMessage[]): Promise<unknown> {
  const { events, model } = setUp(all);
  await generateText({ model, messages }).catch(() => {});
  const ended = events.find((event) => event.type === 'end');
  const skipped = events.find((event) => event.type === 'skipped');
  const check = events.find((event) => event.type === 'check');
  const isCondensed = skipped?.reason === 'condensed';
  const isMade = ended !== undefined || events.some(({ type }) => type === 'recovered');
  const given = check?.act === 'emergency' || isMade ? check?.act : 'none';
  return {
    act: isCondensed ? 'condense' : given,
    reason: isCondensed ? check?.reason : (skipped?.reason ?? check?.reason),
    coveredMessages: ended?.coveredMessages,
  };
}

const read_file = () => ({ toolName: 'x', status: 'success', keyFacts: [], metadata: {} }) as const;
const strategy = ruleBasedStrategy({ extractors: { read_file } });
const extracting = { condenseToolResults: true, strategy };
const large = { contextLength: 100_000 };
const cases: readonly [string, string, SummarizationOptions, ModelMessage[]][] = [
  ['a short conversation', 'none below-trigger', {}, chat(5)],
  ['a long one', 'summarize token-ratio', {}, chat(19)],
  ['one that does not fit', 'emergency context-overflow', {}, chat(31)],
  ['nobody who summarizes', 'none no-strategy', { strategy: 'none' }, chat(19)],
  ['nobody, and too much', 'emergency no-strategy', { strategy: 'none' }, chat(31)],
  ['too few messages', 'none min-messages', { minMessages: 30 }, chat(19)],
  ['too few, and too much', 'emergency context-overflow', { minMessages: 1000 }, chat(31)],
  ['a cooldown, and too much', 'emergency context-overflow', { cooldownMessages: 1000 }, chat(31)],
  ['many tokens', 'summarize token-threshold', { ...large, tokenThreshold: 300 }, chat(15)],
  ['many turns', 'summarize turn-threshold', { ...large, turnThreshold: 7 }, chat(15)],
  ['few turns', 'none below-trigger', { ...large, turnThreshold: 9 }, chat(15)],
  ['many messages', 'summarize refresh', { ...large, forceRefreshAfterMessages: 13 }, chat(15)],
  ['tool results to condense', 'condense token-ratio', { condenseToolResults: true }, read],
  ['tool results to summarize', 'summarize token-ratio', {}, read],
  ['little to condense', 'summarize token-ratio', { condenseToolResults: true }, chat(19)],
  ['nothing but a tail', 'none nothing-to-cover', { minMessages: 1 }, [user(words(1, 820))]],
  ['extractors of the caller', 'condense token-ratio', extracting, read],
];

describe('what is explained', () => {
  it.each(cases)('is what happens with %s: %s', async (_name, expected, given, messages) => {
    const all = { contextLength: 1000, store: memoryStore(), ...given };
    const explained = { messages, model: chatModel(), options: all };
    const { act, reason, plan } = await explainSummarization(explained);
    expect(`${act} ${reason}`).toBe(expected);
    const coveredMessages = plan?.coveredMessages;
    expect(await done(all, messages)).toEqual({ act, reason, coveredMessages });
  });

  it.each([
    ['none', 9],
    ['emergency', 31],
  ])('is what happens where no more summaries are made: %s', async (act, more) => {
    const halted = { maxSummaryChainDepth: 0, atMaxDepth: 'halt' } as const;
    const all = { contextLength: 1000, store: memoryStore(), ...halted };
    const history = chat(19);
    await called(history, all);
    const messages = [...history, assistant('Yes.'), ...chat(more)];
    const explained = await explainSummarization({ messages, model: chatModel(), options: all });
    const [reason, coveredMessages] = ['max-depth', undefined];
    expect(explained).toMatchObject({ act, reason, plan: undefined });
    expect(await done(all, messages)).toEqual({ act, reason, coveredMessages });
  });
});
