import { expect, it } from 'vitest';
import type { Message } from '../../../../src/index.ts';
import {
  UsageMemory,
  usageScope,
  type ReportedUsage,
} from '../../../../src/planning/sizing/usage.ts';
import { scanPrompt, type PromptScan } from '../../../../src/sizes/tokens/scan-prompt.ts';
import { assistant, system, user } from '../../../support/prompt-messages.ts';
import type { CallOptions } from '../../../support/prompt-types.ts';

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
  scanPrompt({ prompt, ...params }, { family: 'openai', writesJson: false });

function remembered(reported: Partial<ReportedUsage> = {}, prompt: Message[] = sent): UsageMemory {
  const memory = new UsageMemory();
  memory.remember(scan(prompt), scope, { ...usage, ...reported });
  return memory;
}

const thinking = { outputTokens: 504, reasoningTokens: 500 };
const long = { outputTokens: 20, answerCharacters: 100 };
const asNew = { tokens: 170, rest: 1 };
const later = [...sent, answer, next];
const ruled = (length: number): Message[] => [system('s'.repeat(length)), question];
const answered = (said: Message): Message[] => [...sent, said, next];

// What is known of a prompt by what was reported for one that begins alike: tokens, and where what is new begins.
it.each<[string, object | undefined, Partial<ReportedUsage>, Message[]?, Message[]?]>([
  ['its beginning and its answer', { tokens: 174, inputTokens: 170, rest: 2 }, {}],
  ['no reasoning that it does not hold', { tokens: 174 }, thinking],
  ['reasoning that it holds', { tokens: 674 }, thinking, answered(thought)],
  ['an answer edited since as new', asNew, {}, answered(assistant(text))],
  ['an answer without usage as new', asNew, { outputTokens: undefined }],
  ['one of fewer than it can take', asNew, { outputTokens: 3, answerCharacters: 50 }],
  // An answer of 100 characters may come back as 305: a twentieth and 200 more.
  ['an answer that has grown a little', { rest: 2 }, long, answered(assistant('a'.repeat(305)))],
  ['and no more than that', { rest: 1 }, long, answered(assistant('a'.repeat(306)))],
  ['the same prompt once more', asNew, {}, sent],
  ['a system message of the same length', { tokens: 170 }, {}, [...ruled(300), next], ruled(300)],
  ['and of no other', undefined, {}, [...ruled(301), next], ruled(300)],
  ['no conversation edited since', undefined, {}, [kind, user(`${text}!`), next]],
  ['no prompt that was cut off', undefined, { inputTokens: 40 }],
])(
  'what was reported is found for %s',
  (_what, expected, reported, prompt = later, before = sent) => {
    const found = remembered(reported, before).find(scan(prompt), scope);
    expect(found === undefined).toBe(expected === undefined);
    expect(found ?? {}).toMatchObject(expected ?? {});
  },
);

it('what was reported is found for the newest of several calls', () => {
  const memory = remembered();
  memory.remember(scan(later), scope, { ...usage, inputTokens: 190 });
  const anchor = memory.find(scan([...later, answer, next]), scope);
  expect(anchor?.inputTokens).toBe(190);
});

it('what was reported is not found for another model, record or tools', () => {
  const prompt = scan(later);
  const tool = { type: 'function', name: 'read', inputSchema: { type: 'object' } } as const;
  const others = [
    usageScope('openai:gpt-4.1', undefined),
    usageScope('openai:gpt-5', { record: { id: 'a1' } }),
  ];
  for (const other of others) expect(remembered().find(prompt, other)).toBeUndefined();
  expect(remembered().find(scan(later, { tools: [tool] }), scope)).toBeUndefined();
});

it('a report of fewer tokens than the characters can be is not remembered', () => {
  // Eight characters for each of 89 tokens.
  const eighths = scan([system('You are kind'), question]);
  expect(eighths.characters).toBe(712);
  const remember = (inputTokens: number, prompt = eighths): boolean =>
    new UsageMemory().remember(prompt, scope, { ...usage, inputTokens }) !== undefined;
  expect([remember(89), remember(88), remember(170, scan([kind]))]).toEqual([true, false, false]);
});
