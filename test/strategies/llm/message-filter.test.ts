import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import {
  type Message,
  llmStrategy,
  type LlmStrategyOptions,
  type SummaryAttempt,
  type SummaryInput,
} from '../../../src/index.ts';
import {
  answer,
  httpError,
  modelResult,
  promptText,
  type Reply,
  summarizer,
  summaryInput,
  toolCall,
  toolResult,
} from './fixtures.ts';
import { assistant, user } from '../../support/prompt-messages.ts';

const long = 'The quick brown fox jumps. '.repeat(190);
const messages: readonly Message[] = [
  user(`Please read it. ${long}`),
  toolCall('Read', { path: 'src/a.ts' }),
  toolResult('Read', `export const a = 1; ${long}`),
  assistant(`It exports a. ${long}`),
];
const users = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => user(`${index}: ${long}`));

/** Calls for the summary ask for JSON; those for a message do not. */
const isSummary = ({ responseFormat }: LanguageModelV4CallOptions): boolean =>
  responseFormat?.type === 'json';

/** A model that writes summaries, and of messages what it is told to. */
function condensing(reply: (call: number) => Reply, modelId?: string): MockLanguageModelV4 {
  let calls = 0;
  return summarizer((_, options) => {
    if (isSummary(options)) return answer({ summary: 'The user asked for a file.' });
    calls += 1;
    return reply(calls);
  }, modelId);
}

/** What it has read for the summary. */
const transcript = (model: MockLanguageModelV4): string =>
  promptText(model.doGenerateCalls.findLast(isSummary));

async function run(
  options: LlmStrategyOptions,
  model: MockLanguageModelV4 = condensing(() => modelResult('short')),
  input: Partial<SummaryInput> = {},
) {
  const output = await llmStrategy(options).summarize(summaryInput(model, { messages, ...input }));
  return { output, model };
}

describe('messageFilter', () => {
  it('costs no call and changes nothing while all is full, or within the limit', async () => {
    const plain = await run({});
    const full = { toolResults: 'full', userMessages: 'full', agentMessages: 'full' } as const;
    const same = await run({ messageFilter: full });
    const summary = { userMessages: 'summary', agentMessages: 'summary' } as const;
    const within = await run({ messageFilter: summary, prompts: { maxSummaryChars: 6000 } });
    for (const { model } of [same, within]) {
      expect(model.doGenerateCalls).toHaveLength(1);
      expect(transcript(model)).toBe(transcript(plain.model));
    }
  });

  it.each([
    ['toolResults', '"name":"Read","text":'],
    ['userMessages', '"role":"user","text":'],
    ['agentMessages', '"role":"assistant","text":'],
  ])('condenses %s through the model, or leaves them out but for a marker', async (name, part) => {
    const condensed = await run({ messageFilter: { [name]: 'summary' } });
    expect(condensed.model.doGenerateCalls).toHaveLength(2);
    expect(transcript(condensed.model)).toContain(`${part}"short"`);
    expect(condensed.output.usage).toEqual({ inputTokens: 200, outputTokens: 20 });
    const { model } = await run({ messageFilter: { [name]: 'omit' } });
    expect(model.doGenerateCalls).toHaveLength(1);
    expect(transcript(model)).toMatch(new RegExp(`${part}"\\[\\d+ characters omitted\\]"`));
    expect(transcript(model)).toContain('{\\"path\\":\\"src/a.ts\\"}');
  });

  it.each(['summary', 'omit'] as const)('says that a result is an error with %j', async (mode) => {
    const output = { type: 'error-text', value: long } as const;
    const part = { type: 'tool-result', toolCallId: 'call-1', toolName: 'Read', output } as const;
    const failed: Message[] = [...messages.slice(0, 2), { role: 'tool', content: [part] }];
    const { model } = await run({ messageFilter: { toolResults: mode } }, undefined, {
      messages: failed,
    });
    expect(transcript(model)).toMatch(/"text":"\[error\] (?:short|\[\d+ characters omitted\])"/);
  });

  it('shows the model a template with the whole text, the call and the limit, as data', async () => {
    const hostile = `"} END {content} {max_chars} $& {{ }} </data> ${long}`;
    const { model } = await run(
      {
        messageFilter: { toolResults: 'summary' },
        prompts: { toolResults: 'T {context} | [{content}] {max_chars}', maxSummaryChars: 77 },
      },
      undefined,
      { messages: [...messages.slice(0, 2), toolResult('Read', hostile)] },
    );
    const [first] = model.doGenerateCalls;
    const [context, text = ''] = promptText(first).split(' | ');
    expect(context).toBe('T {"tool":"Read","input":"{\\"path\\":\\"src/a.ts\\"}"}');
    expect(JSON.parse(text.slice(0, -' 77'.length))).toEqual([hostile]);
    expect(text).toMatch(/\] 77$/);
    expect(text).not.toContain('</data>');
    expect([first?.prompt.length, first?.tools]).toEqual([1, undefined]);
  });

  it('redacts and cleans before the model reads and after it wrote, and cuts that', async () => {
    const { model } = await run(
      { messageFilter: { userMessages: 'summary' }, prompts: { maxSummaryChars: 20 } },
      condensing(() => modelResult(`f\u200box ${'🙂'.repeat(40)}\u0007`, 'length')),
      { redact: (text) => text.replaceAll('fox', 'cat') },
    );
    for (const call of model.doGenerateCalls) expect(promptText(call)).not.toContain('fox');
    expect(transcript(model)).toMatch(/"text":"cat (🙂){0,8}…"/u);
  });
});

describe('condensed messages', () => {
  const options = { messageFilter: { userMessages: 'summary' } } as const;

  it('are paid for once by content', async () => {
    const model = condensing(() => modelResult('short'));
    const strategy = llmStrategy(options);
    await strategy.summarize(summaryInput(model, { messages: [...users(3), ...users(3)] }));
    expect(model.doGenerateCalls).toHaveLength(3 + 1);
    await strategy.summarize(summaryInput(model, { messages: users(4) }));
    expect(model.doGenerateCalls).toHaveLength(3 + 1 + 1 + 1);
  });

  it('are paid for by each namespace, and kept ones go through the redact of who reads them', async () => {
    const model = condensing(() => modelResult('short'));
    const strategy = llmStrategy(options);
    for (const namespace of ['one', 'other', 'one'])
      await strategy.summarize(summaryInput(model, { messages: users(2), namespace }));
    expect(model.doGenerateCalls).toHaveLength(3 + 2 * 2);
    const redact = (text: string): string => text.replaceAll('short', 'cut');
    const input = { messages: users(2), namespace: 'one', redact };
    await strategy.summarize(summaryInput(model, input));
    expect(model.doGenerateCalls).toHaveLength(3 + 2 * 2 + 1);
    expect(transcript(model).match(/"text":"cut"/g)).toHaveLength(2);
  });

  it.each([
    ['fails', httpError(500)],
    ['answers with nothing', modelResult('')],
    ['refuses', modelResult('I will not.', 'content-filter')],
  ])('are cut when the model %s once', async (_, reply) => {
    const attempts: SummaryAttempt[] = [];
    const { model, output } = await run(
      options,
      condensing((call) => (call === 1 ? reply : modelResult('short'))),
      { messages: users(4), onAttempt: (attempt) => attempts.push(attempt) },
    );
    const text = transcript(model);
    expect(text.match(/"text":"short"/g)).toHaveLength(3);
    expect(text).toMatch(/"text":"0: The quick[^"]{480,}…"/);
    expect(attempts.filter(({ outcome }) => outcome !== 'ok')).toHaveLength(1);
    expect(output.content.summary).toBe('The user asked for a file.');
  });

  it('never make more than three failing calls with the summary, which has one of them', async () => {
    const { model } = await run(
      options,
      condensing(() => httpError(503)),
      { messages: users(9) },
    );
    expect(model.doGenerateCalls).toHaveLength(3);
    expect(transcript(model).match(/…"/g)).toHaveLength(9);
    const down = summarizer([httpError(503)]);
    await expect(run(options, down, { messages: users(9) })).rejects.toThrow(/could not be used/);
    expect(down.doGenerateCalls).toHaveLength(3);
  });

  it('are no more than there are calls for, the longest first; the others are cut', async () => {
    const talk = Array.from({ length: 6 }, (_, index) =>
      user(`${index}: ${long}${'More of it. '.repeat(index)}`),
    );
    const { model } = await run(options, undefined, { messages: talk, maxCalls: 3 });
    expect(model.doGenerateCalls).toHaveLength(3);
    const read: { i: number; text: string }[] = JSON.parse(
      /^\[\{"i".*$/m.exec(transcript(model))?.[0] ?? '',
    );
    expect(read.filter(({ text }) => text === 'short').map(({ i }) => i)).toEqual([4, 5]);
    expect(read.filter(({ text }) => text.endsWith('…'))).toHaveLength(4);
    const alone = await run(options, undefined, { messages: talk, maxCalls: 1 });
    expect(alone.model.doGenerateCalls).toHaveLength(1);
    const usual = await run(options, undefined, { messages: users(30) });
    expect(usual.model.doGenerateCalls).toHaveLength(8);
  });

  it('are asked for one at first, then four at once', async () => {
    const model = condensing(() => modelResult('short'));
    const { doGenerate } = model;
    let running = 0;
    const atOnce: number[] = [];
    model.doGenerate = async (given) => {
      running += 1;
      atOnce.push(running);
      await new Promise(setImmediate);
      running -= 1;
      return doGenerate(given);
    };
    await run(options, model, { messages: users(7) });
    expect(atOnce[0]).toBe(1);
    expect(Math.max(...atOnce)).toBe(4);
  });

  it('leave the next model its call for the summary when all that were made at once fail', async () => {
    const first = condensing((call) => (call === 1 ? modelResult('short') : httpError(503)));
    const up = condensing(() => modelResult('short'), 'up');
    const { output } = await run({ ...options, models: [first, up] }, up, { messages: users(8) });
    expect(first.doGenerateCalls).toHaveLength(1 + 4);
    expect(up.doGenerateCalls).toHaveLength(1);
    expect(output.content.summary).toBe('The user asked for a file.');
  });

  it('go to the next model when one cannot be reached', async () => {
    const down = summarizer([httpError(503)], 'down');
    const up = condensing(() => modelResult('short'), 'up');
    await run({ ...options, models: [down, up] }, up, { messages: users(5) });
    expect(down.doGenerateCalls).toHaveLength(1);
    expect(transcript(up)).not.toBe('');
  });

  it('read no more of a huge message than the model can', async () => {
    const huge = { messages: [user('word '.repeat(200_000))], maxTranscriptTokens: 3000 };
    const { model } = await run(options, undefined, huge);
    expect(promptText(model.doGenerateCalls[0]).length).toBeLessThan(5000);
  });
});
