import { generateText, type ModelMessage, type ToolResultPart } from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  explainSummarization,
  memoryStore,
  readArchive,
  type SummarizationOptions,
} from '../../src/index.ts';
import { recallTool, type RecallInput, type RecallOutput } from '../../src/entries/recall/index.ts';
import { chat, toolStep, user, words } from '../support/messages.ts';
import { chatModel } from '../support/models.ts';
import { force, setUp, type SetUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

type Output = ToolResultPart['output'];

const secret = 'a secret of the operator';
const roomy = { contextLength: 400_000, secret };
const short = { ...roomy, maxToolOutputTokens: 100 };
const text = (value: string): Output => ({ type: 'text', value });

/** A search with one failure and one address in its middle. */
const long = [
  'first line',
  ...Array.from({ length: 40 }, (_, line) => `${line}: ${words(line, 12)}`),
  'src/store/ledger-7.ts: Error: no such table: invoices',
  ...Array.from({ length: 40 }, (_, line) => `${line}: ${words(line, 12)}`),
  'see https://example.com/docs/tables for it',
  ...Array.from({ length: 40 }, (_, line) => `${line}: ${words(line, 12)}`),
  'last line',
].join('\n');
const file = {
  type: 'file',
  mediaType: 'image/png',
  data: { type: 'data', data: 'aGk=' },
} as const;

/** Sends a conversation and returns the last prompt, message for message. */
async function promptOf(
  { model, inner }: SetUp,
  messages: readonly ModelMessage[],
): Promise<string[]> {
  await generateText({ model, messages: [...messages], maxRetries: 0 });
  const prompt = inner.doGenerateCalls.at(-1)?.prompt ?? [];
  return prompt.map(({ role, content }) => JSON.stringify({ role, content }));
}

/** The output of a tool as the model gets it. */
async function outputSent(output: Output, options: SummarizationOptions = short): Promise<Output> {
  const prompt = await promptOf(setUp(options), [user('Look.'), ...toolStep('a', output)]);
  const { content } = untyped<{ content: ToolResultPart[] }>(JSON.parse(prompt[2] ?? ''));
  return content[0]?.output ?? text('');
}

const textsOf = (output: Output): string[] => {
  if (output.type === 'content')
    return output.value.flatMap((part) => (part.type === 'text' ? part.text : []));
  return 'value' in output ? [untyped<string>(output.value)] : [];
};

describe('maxToolOutputTokens', () => {
  it.each<[string, Output]>([
    ['text', text(long)],
    ['error text', { type: 'error-text', value: long }],
    ['JSON', { type: 'json', value: { found: long } }],
    ['a JSON error', { type: 'error-json', value: { found: long } }],
    ['texts and a file', { type: 'content', value: [file, { type: 'text', text: long }] }],
  ])('shortens %s by its middle, and keeps its type', async (_what, output) => {
    const result = await outputSent(output);
    expect(result.type).toBe(output.type);
    const [value = ''] = textsOf(result);
    expect(value.length).toBeLessThanOrEqual(400);
    for (const part of ['first line', 'last line', 'src/store/ledger-7.ts', 'https://example.com'])
      expect(value).toContain(part);
    expect(value).toMatch(/\[\.\.\. [\d,]+ characters omitted \.\.\.\]/);
    const first = result.type === 'content' ? result.value[0] : file;
    expect(first).toMatchObject({ type: 'file' });
  });

  it('keeps the line that states a failure', async () => {
    const [value] = textsOf(await outputSent(text(long), { ...short, maxToolOutputTokens: 200 }));
    expect(value).toContain('Error: no such table: invoices');
  });

  it('gives short texts of an output their whole, and the others the rest', async () => {
    const value = ['a short one', long, long].map((each) => ({
      type: 'text' as const,
      text: each,
    }));
    const texts = textsOf(await outputSent({ type: 'content', value }));
    expect(texts[0]).toBe('a short one');
    expect(texts.map((each) => each.length)).toEqual([11, 194, 194]);
  });

  it.each<[string, Output, SummarizationOptions?]>([
    ['an output within it', text(long.slice(0, 400))],
    ['a file', { type: 'content', value: [file] }],
    ['an answer of the recall tool', { type: 'json', value: { recalledFromArchive: true, long } }],
    ['a pinned one', text(long), { ...short, pin: ({ role }) => role === 'tool' }],
    ['by default', text(long.repeat(9)), roomy],
    [
      'no more than 10,000 characters',
      text(long.slice(0, 9999)),
      { ...roomy, optimizeFor: 'cost' },
    ],
    ['in a call that passes unchanged', text(long), { ...short, enabled: false }],
  ])('leaves as it is: %s', async (_what, output, options = short) => {
    expect(await outputSent(output, options)).toEqual(output);
  });

  it("is 2,500 with optimizeFor: 'cost'", async () => {
    const options = { ...roomy, optimizeFor: 'cost' } as const;
    const [value = ''] = textsOf(await outputSent(text(long.repeat(9)), options));
    expect(value.length).toBeLessThanOrEqual(10_000);
    expect(value.length).toBeGreaterThan(9000);
  });

  it('leaves what the provider itself has run', async () => {
    const part = { toolCallId: 'a', toolName: 'search', providerExecuted: true } as const;
    const search: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'tool-call', ...part, input: {} },
        { type: 'tool-result', toolCallId: 'a', toolName: 'search', output: text(long) },
      ],
    };
    const prompt = await promptOf(setUp(short), [user('Search.'), search, user('And?')]);
    expect(prompt[1]).toContain(JSON.stringify(long).slice(1, -1));
  });

  it('sends every prompt as the beginning of the next one, in any process', async () => {
    const line = fc.oneof(fc.string({ maxLength: 90 }), fc.constantFrom('Error: x', 'src/a-1.ts'));
    const value = fc.array(line, { maxLength: 40 }).map((lines) => lines.join('\n'));
    const output = fc.oneof(
      value.map(text),
      value.map((each): Output => ({ type: 'json', value: { each } })),
      fc.array(value, { minLength: 1, maxLength: 4 }).map((each): Output => ({
        type: 'content',
        value: each.map((part) => ({ type: 'text', text: part })),
      })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(output, { minLength: 2, maxLength: 5 }), async (outputs) => {
        const run = setUp(short);
        const steps = outputs.map((each, index) => toolStep(`call_${index}`, each));
        let before = '';
        for (let count = 1; count <= steps.length; count += 1) {
          const messages = [user('Look.'), ...steps.slice(0, count).flat()];
          const prompt = (await promptOf(run, messages)).join('\n');
          expect(prompt.startsWith(before)).toBe(true);
          before = prompt;
        }
        const again = await promptOf(
          setUp(short),
          structuredClone([user('Look.'), ...steps.flat()]),
        );
        expect(again.join('\n')).toBe(before);
      }),
      { numRuns: 300 },
    );
  });

  it('tells how much is omitted, as an event and beforehand', async () => {
    const messages = [user('Look.'), ...toolStep('a', long), ...toolStep('b', 'short')];
    const run = setUp(short);
    const prompt = await promptOf(run, messages);
    const { content } = untyped<{ content: ToolResultPart[] }>(JSON.parse(prompt[2] ?? ''));
    const [value = ''] = textsOf(content[0]?.output ?? text(''));
    const figures = { outputs: 1, omittedCharacters: long.length - value.length };
    expect(run.events.find(({ type }) => type === 'check')).toMatchObject({ shortened: figures });
    const explanation = await explainSummarization({
      messages,
      model: chatModel(),
      options: short,
    });
    expect(explanation.shortened).toEqual(figures);
    const whole = await explainSummarization({ messages, model: chatModel(), options: roomy });
    expect(whole.shortened).toBeUndefined();
  });

  it('writes the facts of the whole output where that is condensed', async () => {
    const lines = Array.from({ length: 400 }, (_, line) => `line ${line}`).join('\n');
    const messages = [user('Look.'), ...toolStep('a', lines), ...chat(21, 600)];
    const condense = { ...short, contextLength: 16_000, condenseToolResults: true };
    const [whole, ofShort] = await Promise.all(
      [{ ...condense, maxToolOutputTokens: undefined }, condense].map(async (options) => {
        const run = setUp({ ...options, triggerTokenRatio: 0.3, resetTokenRatio: 0.29 });
        return (await promptOf(run, messages)).find((each) => each.includes('Lines: '));
      }),
    );
    expect(ofShort).toBe(whole);
  });
});

describe('the whole of a shortened output', () => {
  const conversationId = 'agent 1';
  const messages = [user('Look.'), ...toolStep('a', long), ...toolStep('b', `0: ${words(1, 90)}`)];

  const ask = async (
    recall: ReturnType<typeof recallTool>,
    input: RecallInput,
    before: readonly ModelMessage[],
  ): Promise<RecallOutput> => {
    const options = { toolCallId: 'r', messages: [...before], context: {} };
    return untyped<RecallOutput>(await recall.execute?.(input, options));
  };

  it('is read by recallTool before it is summarized and after that, at the same position', async () => {
    const store = memoryStore();
    const state = { ...short, store, archive: true };
    const recall = recallTool({ store, secret, conversationId, maxToolOutputTokens: 100 });
    const before = await ask(recall, { query: 'invoices' }, messages);
    expect(before.passages[0]).toMatchObject({ position: 2, role: 'tool' });
    const reading = await ask(recall, { position: 2, offset: 30 }, messages);
    expect(reading.passages[0]).toEqual({
      position: 2,
      offset: 30,
      role: 'tool',
      text: long.slice(30),
    });

    const more = [...messages, ...chat(9, 30)];
    const run = setUp({ ...state, preserveRecent: 2, preserveRecentTokenRatio: 0 });
    await force(run, more, { conversationId });
    const { record } = run.events.find((event) => event.type === 'end') ?? {};
    if (record === undefined) throw new Error('No summary was made.');
    const archive = await readArchive({ store, secret, conversationId, record });
    expect(JSON.stringify(archive)).toContain(JSON.stringify(long).slice(1, -1));
    for (const step of [more, []]) {
      const after = await ask(recall, { position: 2, offset: 30 }, step);
      expect(after.passages[0]).toEqual(reading.passages[0]);
    }
  });

  it('is found after the archive for a client that sends only its last messages', async () => {
    const store = memoryStore();
    const state = { ...short, store, archive: true };
    const first = [...chat(14, 30), ...messages];
    const run = setUp({ ...state, preserveRecent: 2, preserveRecentTokenRatio: 0 });
    await force(run, [...first, ...chat(7, 30)], { conversationId });
    const recall = recallTool({ store, secret, conversationId, maxToolOutputTokens: 100 });
    const window = [user('Again.'), ...toolStep('c', `zebra\n${long}`)];
    const { passages } = await ask(recall, { query: 'zebra' }, window);
    expect(passages[0]?.text).toContain('zebra');
    expect(passages[0]?.position).toBeGreaterThan(first.length);
  });

  it('identifies the conversation: a summary applies with the option and without', async () => {
    const store = memoryStore();
    const more = [...messages, ...chat(9, 30)];
    const first = setUp({ ...roomy, store, preserveRecent: 2, preserveRecentTokenRatio: 0 });
    await force(first, more);
    const next = setUp({ ...short, store });
    await promptOf(next, [...more, user('And now?')]);
    expect(next.events.filter(({ type }) => type === 'applied')).toHaveLength(1);
    expect(next.summarizer.doGenerateCalls).toEqual([]);
  });
});
