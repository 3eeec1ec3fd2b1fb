import { expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { UsageMemory, usageScope, type ReportedUsage } from '../../../src/sizing/usage.ts';
import { scanPrompt, type PromptScan } from '../../../src/tokens/scan-prompt.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';
import type { CallOptions } from '../../support/prompt-types.ts';

const text = 'The river runs through the market. '.repeat(20);
const [kind, question] = [system('You are kind.'), user(text)];
const sent = [kind, question];
const [answer, next] = [assistant('It does.'), user('Where to?')];
const thought: Message = {
  role: 'assistant',
  content: [{ type: 'reasoning', text: '' }, ...answer.content],
};
const scope = usageScope('openai:gpt-5', undefined);
const usage: ReportedUsage = {
  inputTokens: 170,
  outputTokens: 4,
  reasoningTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  answerCharacters: 8,
};

const scan = (prompt: Message[], params: Partial<CallOptions> = {}): PromptScan =>
  scanPrompt({ prompt, ...params }, 'openai');

function remembered(reported: Partial<ReportedUsage> = {}, prompt: Message[] = sent): UsageMemory {
  const memory = new UsageMemory();
  memory.remember(scan(prompt), scope, { ...usage, ...reported });
  return memory;
}

const thinking = { outputTokens: 504, reasoningTokens: 500 };
const long = { outputTokens: 20, answerCharacters: 100 };
const asNew = { tokens: 170, rest: 1 };
const grown = (length: number): Message[] => [system('s'.repeat(length)), question, next];

// What is known of a prompt by what was reported for one that begins alike: tokens, and where what is new begins.
it.each<[string, Partial<ReportedUsage>, Message[], object | undefined, Message[]?]>([
  [
    'its beginning and its answer',
    {},
    [...sent, answer, next],
    { tokens: 174, inputTokens: 170, rest: 2 },
  ],
  ['no reasoning that it does not hold', thinking, [...sent, answer, next], { tokens: 174 }],
  ['reasoning that it holds', thinking, [...sent, thought, next], { tokens: 674 }],
  ['an answer edited since as new', {}, [...sent, assistant(text), next], asNew],
  ['an answer without usage as new', { outputTokens: undefined }, [...sent, answer, next], asNew],
  [
    'one of fewer than it can take',
    { outputTokens: 3, answerCharacters: 50 },
    [...sent, answer, next],
    asNew,
  ],
  // An answer of 100 characters may come back as 305: a twentieth and 200 more.
  [
    'an answer that has grown a little',
    long,
    [...sent, assistant('a'.repeat(305)), next],
    { rest: 2 },
  ],
  ['and no more than that', long, [...sent, assistant('a'.repeat(306)), next], { rest: 1 }],
  ['the same prompt once more', {}, sent, asNew],
  [
    'a system message that has grown',
    {},
    grown(556),
    { tokens: 170 + 256 },
    [system('s'.repeat(300)), question],
  ],
  [
    'by no more than 256 characters',
    {},
    grown(557),
    undefined,
    [system('s'.repeat(300)), question],
  ],
  ['no conversation edited since', {}, [kind, user(`${text}!`), next], undefined],
  ['no prompt that was cut off', { inputTokens: 40 }, [...sent, answer, next], undefined],
])('what was reported is found for %s', (_what, reported, prompt, expected, before = sent) => {
  const found = remembered(reported, before).find(scan(prompt), scope);
  expect(found === undefined).toBe(expected === undefined);
  expect(found ?? {}).toMatchObject(expected ?? {});
});

it('what was reported is found for the newest of several calls', () => {
  const memory = remembered();
  memory.remember(scan([...sent, answer, next]), scope, { ...usage, inputTokens: 190 });
  const anchor = memory.find(scan([...sent, answer, next, answer, next]), scope);
  expect(anchor?.inputTokens).toBe(190);
});

it('what was reported is not found for another model, record or tools', () => {
  const prompt = scan([...sent, answer, next]);
  const tool = { type: 'function', name: 'read', inputSchema: { type: 'object' } } as const;
  const others = [
    usageScope('openai:gpt-4.1', undefined),
    usageScope('openai:gpt-5', { record: { id: 'a1' } }),
  ];
  for (const other of others) expect(remembered().find(prompt, other)).toBeUndefined();
  expect(
    remembered().find(scan([...sent, answer, next], { tools: [tool] }), scope),
  ).toBeUndefined();
});

it('a report of fewer tokens than the characters can be is not remembered', () => {
  // Eight characters for each of 89 tokens.
  const eighths = scan([system('You are kind'), question]);
  expect(eighths.characters).toBe(712);
  const remember = (inputTokens: number, prompt = eighths): boolean =>
    new UsageMemory().remember(prompt, scope, { ...usage, inputTokens });
  expect([remember(89), remember(88), remember(170, scan([kind]))]).toEqual([true, false, false]);
});
