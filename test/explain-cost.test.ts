import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, expect, it, vi } from 'vitest';
import { explainSummarization, memoryStore, type SummarizationOptions } from '../src/index.ts';
import { agentSteps, chat, toolStep, user, words } from './support/messages.ts';
import { billedResult, chatModel } from './support/models.ts';
import { force, setUp } from './support/set-up.ts';

const talk = chat(101, 600);
const largeAtFirst = [...chat(14, 6000), ...chat(3, 5)];
const agent = agentSteps(40);
const two = ['a', 'b'];
const asked = { type: 'tool-call', toolName: 'read_file' } as const;
const output = { type: 'text', value: words(1, 3000) } as const;
const result = { type: 'tool-result', toolName: 'read_file', output } as const;
const mixed: ModelMessage[] = [
  { role: 'system', content: 'Answer briefly.' },
  user('Read it all.'),
  { role: 'assistant', content: two.map((toolCallId) => ({ ...asked, toolCallId, input: {} })) },
  { role: 'tool', content: two.map((toolCallId) => ({ ...result, toolCallId })) },
  // An original, which was fetched back.
  ...toolStep('c', { type: 'json', value: { recalledFromArchive: true, text: words(2, 900) } }),
  { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: new Uint8Array(4000) }] },
  { role: 'system', content: 'Be kind.' },
  ...chat(41, 300),
];

const dear = {
  prices: { openai: { input: 5, cacheRead: 1, cacheWrite: 6, output: 20, cacheMinutes: 5 } },
};
const noCache = {
  prices: { openai: { input: 1, cacheRead: 1, cacheWrite: 1, output: 4, cacheMinutes: 0 } },
};

const rules = { strategy: 'rule-based' } as const;
const inPlace = { summarizerInput: 'conversation' } as const;
const transcript = { summarizerInput: 'transcript' } as const;
const least = { preserveRecent: 2, preserveRecentTokenRatio: 0 };
const cheapest = { summarizerInput: 'auto' } as const;
const pin = (each: unknown): boolean => JSON.stringify(each).includes('"call_2"');

/** What was before: tokens of calls, those of each that came from a cache; messages of which is a summary. */
interface Before extends Partial<Record<'input' | 'minutesAgo' | 'summarized', number>> {
  readonly cached?: readonly number[];
}

afterEach(() => {
  vi.useRealTimers();
});

// Whether a summary pays; what it costs, saves with each of so many calls, and would have saved.
const rows: readonly [string, string, ModelMessage[], SummarizationOptions?, Before?][] = [
  ['a long chat', 'yes 39541 9198 50 223862', talk],
  ['a short one', 'no 17934 344 10 1119', chat(21, 200)],
  ['a summary that takes more', 'yes 45391 8548 50 193340', talk, { maxSummaryTokens: 9000 }],
  ['rules that write', 'yes 11594 9198 50 223862', talk, rules],
  ['prices that were given', 'yes 46275 18396 50 447723', talk, dear],
  ['a transcript', 'yes 123573 9198 50 223862', talk, transcript],
  ['in place', 'no 27529 1307 10 5486', chat(21, 600), inPlace],
  ['what is cheaper', 'yes 28072 13072 10 54864', chat(21, 600), { ...noCache, ...cheapest }],
  ['many recent messages', 'yes 67573 6083 50 146074', talk, { preserveRecent: 40 }],
  ['few recent messages', 'yes 35803 9613 50 234237', talk, { preserveRecentTokenRatio: 0 }],
  ['tool outputs', 'no 25699 77 40 367', agent],
  ['tool outputs that stay', 'yes 30462 4840 40 92046', agent, { condenseToolResults: false }],
  ['outputs that are short', 'no 13355 348 60 7396', agentSteps(60, 30)],
  ['a pinned one', 'no 25832 210 40 1914', agent, { pin }],
  ['outputs without a cache', 'no 15775 775 40 3666', agent, noCache],
  ['files and instructions on the way', 'no 24902 1773 22 17092', mixed],
  ['a warm cache', 'yes 39541 9198 50 223862', talk, {}, { cached: [39_000], minutesAgo: 4.99 }],
  ['a cold cache', 'yes 0 9198 50 223862', talk, {}, { cached: [39_000], minutesAgo: 5.01 }],
  ['two calls that missed it', 'yes 39541 9198 50 223862', talk, {}, { cached: [0, 0] }],
  ['three', 'yes 29105 83703 50 2037191', talk, {}, { cached: [0, 0, 3999] }],
  ['one that did not', 'yes 39541 9198 50 223862', talk, {}, { cached: [0, 0, 4000, 0] }],
  ['short prompts', 'yes 39541 9198 50 223862', talk, {}, { input: 4095, cached: [0, 0, 0] }],
  ['long ones', 'yes 27946 91979 50 2238616', talk, {}, { input: 4096, cached: [0, 0, 0] }],
  ['nothing to free', 'no 0 0 2 0', chat(5), rules, { cached: [0], minutesAgo: 6 }],
  ['few large turns', 'no 163802 14152 8 55624', largeAtFirst, { ...transcript, ...least }],
  ['outputs that are condensed now', 'no 20239 0 11 0', agentSteps(11)],
  ['a cut within a step', 'no 22890 96 40 529', agent, { ...least, preserveRecent: 3 }],
  ['a summary', 'yes 30590 4153 50 41530', talk, {}, { summarized: 61 }],
  ['a summary of steps', 'no 11598 272 60 4073', agentSteps(60), {}, { summarized: 61 }],
  ['a summary just now', 'no 26684 519 50 260', talk, {}, { summarized: 99 }],
];

it.each(rows)('reckons with %s: %s', async (_what, expected, messages, given, before = {}) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const own = { contextLength: 200_000, optimizeFor: 'cost', store: memoryStore() } as const;
  const options = { ...own, ...given };
  const { input = 40_000, cached = [], minutesAgo = 0, summarized } = before;
  const inner = chatModel();
  const { provider, modelId } = inner;
  if (summarized !== undefined)
    await force(setUp(options, { inner }), messages.slice(0, summarized));
  for (const cacheRead of cached) {
    const doGenerate = billedResult('Understood.', input, 3, cacheRead);
    const billed = new MockLanguageModelV4({ provider, modelId, doGenerate });
    const { model } = setUp(options, { inner: billed });
    await generateText({ model, messages: messages.slice(0, 3) });
  }
  vi.setSystemTime(Date.now() + minutesAgo * 60_000);
  const { cost } = await explainSummarization({ messages, model: inner, options });
  const { pays, cost: once, savingPerCall, callsAssumed, paidMore } = cost ?? {};
  const figures = [once, savingPerCall, callsAssumed, paidMore].map((figure = Number.NaN) =>
    Math.round(figure),
  );
  expect(`${pays === true ? 'yes' : 'no'} ${figures.join(' ')}`).toBe(expected);
});

it.each<[string, string, ModelMessage[], number[], object?]>([
  ['skipped', 'condensed', agentSteps(80), [12, 20, 28, 36, 46, 57, 69]],
  ['skipped', 'condensed', agentSteps(7), [5, 6, 7, 8], noCache],
  ['start', 'cost', chat(161, 600), [20, 37, 54, 71]],
])('tells by %s: %s of the calls at which it pays, and of no other', async (...row) => {
  const [type, reason, messages, due, prices] = row;
  const { model, events } = setUp({ contextLength: 200_000, optimizeFor: 'cost', ...prices });
  for (let count = 1; count <= messages.length; count += 2)
    await generateText({ model, messages: messages.slice(0, count) });
  const found: unknown[] = [];
  let calls = 0;
  for (const event of events) {
    if (event.type === 'check') calls += 1;
    if (event.type === 'skipped' || event.type === 'start')
      found.push([event.type, event.reason, calls]);
  }
  expect(found).toEqual(due.map((call) => [type, reason, call]));
});
