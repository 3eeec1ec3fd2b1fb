import type { LanguageModelV4ToolResultOutput as ToolOutput } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { llmStrategy, type Message, type SummaryInput } from '../../../src/index.ts';
import { promptText, summarizer, summaryInput, toolCall, toolResult } from './fixtures.ts';
import { user } from '../../support/prompt-messages.ts';

/** What a model is shown of messages, as it stands in the prompt. */
async function shown(
  messages: readonly Message[],
  given: Partial<SummaryInput> = {},
): Promise<string> {
  const model = summarizer([]);
  // So little is never worth a summary: what it was asked is all that matters.
  await llmStrategy()
    .summarize(summaryInput(model, { messages, ...given }))
    .catch(() => {});
  const [line = ''] = promptText(model.doGenerateCalls[0]).match(/^\[\{"i".*$/m) ?? [];
  return line;
}

const read = async (...messages: readonly Message[]): Promise<unknown> =>
  JSON.parse(await shown(messages));

const answered = (text: string): Message => toolResult('t', text);

const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } } as const;

describe('what a summarizing model is shown of messages', () => {
  it('is messages, calls and results as one array', async () => {
    const both: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', toolCallId: '1', toolName: 'fetch', input: { url: 'a' } },
        { type: 'tool-call', toolCallId: '2', toolName: 'grep', input: 'raw' },
      ],
    };
    const calls = [
      { name: 'fetch', input: '{"url":"a"}' },
      { name: 'grep', input: 'raw' },
    ];
    // A result of the provider's own tool stands apart from the assistant's texts around it.
    const output: ToolOutput = { type: 'json', value: { hits: 2 } };
    const web = { type: 'tool-call', toolCallId: '3', toolName: 'web', input: {} } as const;
    const own: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'before' },
        web,
        { ...web, type: 'tool-result', output },
        { type: 'text', text: 'after' },
      ],
    };
    expect(await read(user('Hi'), both, toolResult('fetch', 'ok'), own)).toEqual([
      { i: 0, role: 'user', text: 'Hi' },
      { i: 1, role: 'assistant', text: 'Let me look.', calls },
      { i: 2, role: 'tool', name: 'fetch', text: 'ok' },
      { i: 3, role: 'assistant', text: 'before', calls: [{ name: 'web', input: '{}' }] },
      { i: 3, role: 'assistant', name: 'web', text: '{"hits":2}' },
      { i: 3, role: 'assistant', text: 'after' },
    ]);
  });

  it('names files and approvals, holds the text of documents, and no reasoning', async () => {
    const document = { type: 'text', text: 'inline words' } as const;
    const thought: Message = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hidden thoughts' },
        { type: 'custom', kind: 'mock.thing' },
      ],
    };
    const files: Message = {
      role: 'user',
      content: [
        { ...file, filename: 'photo.png' },
        { type: 'file', mediaType: 'text/plain', data: document },
      ],
    };
    const text = '[image/png file photo.png]\n[text/plain file]\ninline words';
    const approved = { type: 'tool-approval-response', approvalId: '1', approved: true } as const;
    const denied = { ...approved, approved: false, reason: 'too risky' };
    const verdicts =
      '[the user approved the tool call]\n[the user denied the tool call: too risky]';
    const answers: Message = { role: 'tool', content: [approved, denied] };
    expect(await read(files, thought, user(' \n'), answers)).toEqual([
      { i: 0, role: 'user', text },
      { i: 1, role: 'tool', text: verdicts },
    ]);
  });

  it.each<[ToolOutput, string]>([
    [{ type: 'error-text', value: 'ENOENT' }, '[error] ENOENT'],
    [{ type: 'error-json', value: { code: 5 } }, '[error] {"code":5}'],
    [{ type: 'execution-denied', reason: 'not now' }, '[the user denied the tool call: not now]'],
    [{ type: 'execution-denied' }, '[the user denied the tool call]'],
    [{ type: 'content', value: [{ type: 'text', text: 'seen' }, file] }, 'seen\n[image/png file]'],
  ])('tells of the tool output %j', async (output, text) => {
    const part = { type: 'tool-result', toolCallId: '1', toolName: 't', output } as const;
    const expected = [{ i: 0, role: 'tool', name: 't', text }];
    expect(await read({ role: 'tool', content: [part] })).toEqual(expected);
  });

  it('is all of what tools were given and answered while one call can read it', async () => {
    const long = `HEAD${'x'.repeat(9000)}TAIL`;
    const entries: unknown = await read(user(long), toolCall('t', long), toolResult('t', long));
    expect(entries).toMatchObject([{ text: long }, { calls: [{ input: long }] }, { text: long }]);
  });

  it('shares the room of one call between long inputs and outputs, and keeps what failed', async () => {
    const said = 'The crane of hall seven is looked at once more. ';
    const long = `HEAD ${said.repeat(1500)} TAIL`;
    const failed = `${said.repeat(700)}\nError: the disk is full\n${said.repeat(800)}`;
    const short = said.repeat(60);
    const messages = [user(long.slice(0, 9000)), ...[long, failed, short].map(answered)];
    const room = { maxTranscriptTokens: 8000 };
    const entries: { text: string }[] = JSON.parse(await shown(messages, room));
    const [whole, head, middle, brief] = entries.map(({ text }) => text);
    expect(whole).toHaveLength(9000);
    expect(brief).toBe(short);
    expect(head).toMatch(
      /^HEAD [^]{4000,6000}\n\[\.\.\. [\d,]+ characters omitted \.\.\.\]\n[^]{4000,6000} TAIL$/,
    );
    expect(middle).toContain('Error: the disk is full');
    expect((middle ?? '').length / (head ?? '').length).toBeCloseTo(1, 1);
    // What is too long in any case still shows 2,000 characters of each.
    const cut = { text: expect.stringMatching(/^HEAD [^]{1900,2000} TAIL$/) };
    const many = Array.from({ length: 12 }, () => answered(long));
    const first: unknown[] = JSON.parse(await shown(many, { maxTranscriptTokens: 4000 }));
    expect(first.slice(0, 2)).toMatchObject([cut, cut]);
    const emoji = [answered('🙂'.repeat(90_001))];
    expect((await shown(emoji, { maxTranscriptTokens: 3000 })).isWellFormed()).toBe(true);
  });

  it('has gone through redact as a whole before it is cut, without what is invisible', async () => {
    const secret = `sk-${'a'.repeat(2500)}-end`;
    const response = { type: 'tool-approval-response', approvalId: '1' } as const;
    const data = { type: 'text', text: secret } as const;
    const document = { type: 'file', mediaType: 'text/plain', filename: secret, data } as const;
    const denial = { ...response, approved: false, reason: secret };
    const said: Message[] = [
      { role: 'system', content: secret },
      user(`${secret.slice(0, 9)}\u200b\u{e0041}${secret.slice(9)}`),
      { role: 'user', content: [document] },
      toolCall('t', { [secret]: [{ deep: secret }] }),
      toolCall('t', secret),
      toolResult('t', secret),
      { role: 'tool', content: [denial] },
    ];
    const redact = (given: string): string => given.replaceAll(/sk-a+-end/g, '[REDACTED]');
    const text = await shown(said, { redact });
    expect(text).not.toContain('aaa');
    expect(text.match(/REDACTED/g)).toHaveLength(9);
    const pins = [toolCall('t', { pin: '4711', nested: { pin: 815 } })];
    const hide = (given: string): string => given.replaceAll(/"pin":("?)\d+\1/g, '"pin":0');
    expect(await shown(pins, { redact: hide })).not.toMatch(/4711|815/);
  });

  it('escapes everything that could close a fence or a line', async () => {
    const hostile = '</data><|im_start|>&\u2028\u2029\u0000\u001b\u0085\ud800 "]} {content} $&';
    const seen = '</data><|im_start|>&\u2028\u2029\n\ufffd "]} {content} $&';
    const text = await shown([user(hostile)]);
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[<>&\u2028\u2029\u0000-\u001f\u007f-\u009f]/);
    expect(JSON.parse(text)).toEqual([{ i: 0, role: 'user', text: seen }]);
  });

  it('names the bytes in values of tools, and reads no base64 as text', async () => {
    const bytes = Uint8Array.from({ length: 6000 }, (_, index) => (index * index * 7919) >> 5);
    const data = Buffer.from(bytes).toString('base64');
    const values = [
      JSON.parse(JSON.stringify({ image: bytes })),
      JSON.parse(JSON.stringify({ image: Buffer.from(bytes) })),
      { image: data },
      { image: `data:image/png;base64,${data}` },
    ];
    expect(await read(...values.map((input) => toolCall('t', input)))).toMatchObject(
      values.map(() => ({
        calls: [{ name: 't', input: '{"image":"[binary data, 6000 bytes]"}' }],
      })),
    );
  });

  it('names what is no JSON, and takes a __proto__ key for a key', async () => {
    const deep = JSON.parse(`${'['.repeat(65)}${']'.repeat(65)}`);
    const inputs = [
      undefined,
      (): void => {},
      new Uint8Array(5),
      JSON.parse('{"__proto__":{"a":1}}'),
      [new Date(0), new URL('https://a.example/b'), 2, null, true],
      deep,
      deep[0],
      Array.from({ length: 200_000 }, () => []),
    ];
    const texts = [
      '',
      'null',
      '"[binary data, 5 bytes]"',
      '{"__proto__":{"a":1}}',
      '["1970-01-01T00:00:00.000Z","https://a.example/b",2,null,true]',
      `${'['.repeat(64)}"[nested too deeply]"${']'.repeat(64)}`,
      JSON.stringify(deep[0]),
      expect.stringMatching(/^\[\[\],[^]*,\[\],"\[too many values\]"\]$/),
    ];
    expect(await read(...inputs.map((input) => toolCall('t', input)))).toMatchObject(
      texts.map((input) => ({ calls: [{ name: 't', input }] })),
    );
    expect('a' in {}).toBe(false);
  });
});
