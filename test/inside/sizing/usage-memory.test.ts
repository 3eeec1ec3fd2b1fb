import { describe, expect, it } from 'vitest';
import type { CallOptions } from '../../support/prompt-types.ts';
import { scanPrompt, type PromptScan } from '../../../src/tokens/scan-prompt.ts';
import { UsageMemory, type ReportedUsage } from '../../../src/sizing/usage.ts';
import type { Message } from '../../../src/index.ts';

const text = 'The river runs through the market. '.repeat(20);
const sent: Message[] = [
  { role: 'system', content: 'You are kind.' },
  { role: 'user', content: [{ type: 'text', text }] },
];
const answer: Message = { role: 'assistant', content: [{ type: 'text', text: 'It does.' }] };
const next: Message = { role: 'user', content: [{ type: 'text', text: 'Where to?' }] };
const scope = { model: 'openai:gpt-5', recordId: undefined };
const usage: ReportedUsage = {
  inputTokens: 170,
  outputTokens: 4,
  reasoningTokens: undefined,
  cacheReadTokens: undefined,
  answerCharacters: 8,
};

function scan(prompt: Message[], params: Partial<CallOptions> = {}): PromptScan {
  return scanPrompt({ prompt, ...params }, 'openai');
}

function remembered(reported: Partial<ReportedUsage> = {}): UsageMemory {
  const memory = new UsageMemory();
  memory.remember(scan(sent), scope, { ...usage, ...reported });
  return memory;
}

describe('UsageMemory', () => {
  it('anchors the next call by what was reported for its beginning and its answer', () => {
    const anchor = remembered().find(scan([...sent, answer, next]), scope);
    expect(anchor).toMatchObject({ tokens: 174, inputTokens: 170, rest: 2, sentMessages: 1 });
  });

  it('leaves out the reasoning of an answer unless the prompt holds it', () => {
    const memory = remembered({ outputTokens: 504, reasoningTokens: 500 });
    expect(memory.find(scan([...sent, answer, next]), scope)?.tokens).toBe(174);
    const thought: Message = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: '' },
        { type: 'text', text: 'It does.' },
      ],
    };
    expect(memory.find(scan([...sent, thought, next]), scope)?.tokens).toBe(674);
  });

  it('counts an answer that was edited since as new', () => {
    const edited: Message = { role: 'assistant', content: [{ type: 'text', text }] };
    const anchor = remembered().find(scan([...sent, edited, next]), scope);
    expect(anchor).toMatchObject({ tokens: 170, rest: 1 });
  });

  it('takes the newest of several calls', () => {
    const memory = remembered();
    memory.remember(scan([...sent, answer, next]), scope, { ...usage, inputTokens: 190 });
    const anchor = memory.find(scan([...sent, answer, next, answer, next]), scope);
    expect(anchor?.inputTokens).toBe(190);
  });

  it.each([
    ['missing', { outputTokens: undefined }],
    ['zero', { outputTokens: 0 }],
    ['less than the answer can take', { outputTokens: 3, answerCharacters: 50 }],
  ])('counts an answer as new when its usage is %s', async (_, reported) => {
    const anchor = remembered(reported).find(scan([...sent, answer, next]), scope);
    expect(anchor).toMatchObject({ tokens: 170, rest: 1 });
  });

  it.each<[string, number, number, boolean]>([
    ['no reported answer, however little it was', 0, 0, false],
    ['an answer of as many characters as its tokens hold', 1, 8, true],
    ['an answer of more characters than its tokens hold', 1, 9, false],
  ])('believes in %s', async (_what, outputTokens, answerCharacters, isBelieved) => {
    const empty: Message = { role: 'assistant', content: [] };
    const memory = remembered({ outputTokens, answerCharacters });
    const anchor = memory.find(scan([...sent, empty, next]), scope);
    expect(anchor?.rest).toBe(isBelieved ? 2 : 1);
  });

  it.each([
    // An answer of 100 characters may come back as 305: a twentieth and 200 more.
    [305, 2],
    [306, 1],
  ])('takes an answer that has become %i characters long', async (length, rest) => {
    const longer: Message = {
      role: 'assistant',
      content: [{ type: 'text', text: 'a'.repeat(length) }],
    };
    const memory = remembered({ outputTokens: 20, answerCharacters: 100 });
    expect(memory.find(scan([...sent, longer, next]), scope)?.rest).toBe(rest);
  });

  it('takes no message of the user for the answer', () => {
    const anchor = remembered().find(scan([...sent, next]), scope);
    expect(anchor).toMatchObject({ tokens: 170, rest: 1 });
  });

  it('anchors the same prompt once more', () => {
    const anchor = remembered().find(scan(sent), scope);
    expect(anchor).toMatchObject({ tokens: 170, rest: 1 });
  });

  it('says whether it remembers', () => {
    const memory = new UsageMemory();
    // Eight characters for each of 89 tokens.
    const system: Message = { role: 'system', content: 'You are kind' };
    const eighths = scan([system, ...sent.slice(1)]);
    expect(eighths.characters).toBe(712);
    expect(memory.remember(eighths, scope, { ...usage, inputTokens: 89 })).toBe(true);
    expect(memory.remember(eighths, scope, { ...usage, inputTokens: 88 })).toBe(false);
    expect(memory.remember(scan([system]), scope, usage)).toBe(false);
  });

  it.each([
    [256, 170 + 256],
    [257, undefined],
    [-256, 170],
    [-257, undefined],
  ])('takes a system message that has grown by %i characters', async (growth, tokens) => {
    const system = (length: number): Message => ({ role: 'system', content: 's'.repeat(length) });
    const memory = new UsageMemory();
    memory.remember(scan([system(300), ...sent.slice(1)]), scope, usage);
    const prompt = [system(300 + growth), ...sent.slice(1), next];
    expect(memory.find(scan(prompt), scope)?.tokens).toBe(tokens);
  });

  it('ignores usage of a prompt that was cut off', () => {
    const memory = new UsageMemory();
    expect(memory.remember(scan(sent), scope, { ...usage, inputTokens: 40 })).toBe(false);
    expect(memory.find(scan([...sent, answer, next]), scope)).toBeUndefined();
  });

  it.each([
    ['of another model', { ...scope, model: 'openai:gpt-4.1' }],
    ['from before the last summarisation', { ...scope, recordId: 'a1' }],
  ])('ignores usage %s', async (_, other) => {
    expect(remembered().find(scan([...sent, answer, next]), other)).toBeUndefined();
  });

  it('ignores usage with other tools', () => {
    const tools = [
      { type: 'function' as const, name: 'read', inputSchema: { type: 'object' as const } },
    ];
    const prompt = [...sent, answer, next];
    expect(remembered().find(scan(prompt, { tools }), scope)).toBeUndefined();
  });

  it('ignores usage of a conversation that was edited since', () => {
    const edited: Message = { role: 'user', content: [{ type: 'text', text: `${text}!` }] };
    expect(remembered().find(scan([...sent.slice(0, 1), edited, next]), scope)).toBeUndefined();
  });

  it('allows for a system message that has grown a little, not for another one', () => {
    const system = (content: string): Message => ({ role: 'system', content });
    const prompt = (content: string): PromptScan =>
      scan([system(content), ...sent.slice(1), answer, next]);
    const longer = 'You are kind. It is Wednesday.';
    expect(remembered().find(prompt(longer), scope)?.tokens).toBe(174 + longer.length - 13);
    expect(remembered().find(prompt(text), scope)).toBeUndefined();
  });
});
