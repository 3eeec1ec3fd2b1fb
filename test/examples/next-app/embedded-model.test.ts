import { APICallError } from '@ai-sdk/provider';
import type { LanguageModelV4Prompt } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { countRequestTokens } from '../../../examples/next-app/embedded-model/count-tokens.ts';
import { embeddedModel } from '../../../examples/next-app/embedded-model/embedded-model.ts';

type Message = LanguageModelV4Prompt[number];

const system: Message = { role: 'system', content: 'You read repositories.' };
const user = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
const assistant = (text: string): Message => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const call = (toolCallId: string, path: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId, toolName: 'read_file', input: { path } }],
});
const result = (toolCallId: string, value: string): Message => ({
  role: 'tool',
  content: [
    { type: 'tool-result', toolCallId, toolName: 'read_file', output: { type: 'text', value } },
  ],
});

async function reply(prompt: LanguageModelV4Prompt, contextLength = 8_000) {
  const { content } = await embeddedModel(contextLength).doGenerate({ prompt });
  return content;
}

async function rejection(prompt: LanguageModelV4Prompt, contextLength = 8_000): Promise<unknown> {
  return await reply(prompt, contextLength).catch((error: unknown) => error);
}

describe('embeddedModel', () => {
  it.each<[string, LanguageModelV4Prompt, string]>([
    ['no message', [], 'at least one message'],
    ['system messages only', [system], 'at least one message'],
    ['an assistant message first', [system, assistant('Hi'), user('Hi')], 'must be from the user'],
    ['a tool call first', [call('1', 'a'), result('1', 'x')], 'must be from the user'],
    ['a system message later', [user('Hi'), system, user('Hi')], 'must come first'],
    ['an assistant message last', [user('Hi'), assistant('Hi')], 'must not be from the assistant'],
    ['blank text', [user('  ')], 'must not be blank'],
    ['a blank system message', [{ role: 'system', content: '' }, user('Hi')], 'must not be'],
    ['no content', [{ role: 'user', content: [] }], 'must not be empty'],
    ['an unanswered call', [user('Hi'), call('1', 'a'), user('And?')], 'without a result: 1'],
    ['an unanswered call at the end', [user('Hi'), call('1', 'a')], 'from the assistant'],
    ['a result without a call', [user('Hi'), result('1', 'x')], 'has no call'],
    ['a result twice', [user('Hi'), call('1', 'a'), result('1', 'x'), result('1', 'x')], 'no call'],
    [
      'a call id twice',
      [user('Hi'), call('1', 'a'), result('1', 'x'), call('1', 'b'), result('1', 'x')],
      'duplicate tool call 1',
    ],
  ])('rejects %s', async (_, prompt, message) => {
    const error = await rejection(prompt);
    expect(APICallError.isInstance(error) && error.statusCode).toBe(400);
    expect(String(error)).toContain(message);
  });

  it('rejects a prompt over its limit with the error body of OpenAI', async () => {
    const prompt = [user('word '.repeat(200))];
    const tokens = countRequestTokens({ prompt });
    const error = await rejection(prompt, tokens - 1);
    if (!APICallError.isInstance(error)) throw new Error('not rejected');
    expect(error.isRetryable).toBe(false);
    expect(JSON.parse(error.responseBody ?? '')).toEqual({
      error: {
        message: `This model's maximum context length is ${tokens - 1} tokens. However, your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`,
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    });
    await expect(reply(prompt, tokens)).resolves.toBeDefined();
  });

  it('takes the next step its prompt does not show', async () => {
    const request = user('Read `a.json`, read `b.json`. Which `port` does `a.json` set?');
    expect(await reply([request])).toMatchObject([
      { type: 'text' },
      { toolName: 'read_file', input: '{"path":"a.json"}' },
    ]);
    expect(await reply([request, call('1', 'a.json'), result('1', '"port": 80')])).toMatchObject([
      { type: 'text' },
      { toolName: 'read_file', input: '{"path":"b.json"}' },
    ]);
  });

  it('takes a step the record names for done', async () => {
    const record = {
      role: 'system' as const,
      content:
        '[summary-depth:0] id\nData.\n{"summary":"","keyPoints":["Steps finished: `a.json`"]}\n[/summary-depth:0]',
    };
    expect(await reply([record, user('Read `a.json`, read `b.json`.')])).toMatchObject([
      { type: 'text' },
      { input: '{"path":"b.json"}' },
    ]);
  });

  it('answers from what its prompt contains and from nothing else', async () => {
    const question = user('Which `port` does `a.json` set?');
    expect(await reply([question])).toEqual([
      { type: 'text', text: "- I don't know: Which `port` does `a.json` set?" },
    ]);
    const read = [user('Read `a.json`.'), call('1', 'a.json'), result('1', '{\n  "port": 80,\n}')];
    expect(await reply([...read, assistant('Done.'), question])).toEqual([
      { type: 'text', text: '- a.json: port: 80' },
    ]);
  });

  it('writes a record of what a transcript says when asked for JSON', async () => {
    const transcript = [
      {
        i: 0,
        role: 'user',
        text: 'Look around. Never edit `b`. Read `a.json`. Which `port` does `a.json` set? Who owns `c`?',
      },
      { i: 1, role: 'assistant', calls: [{ name: 'read_file', input: '{"path":"a.json"}' }] },
      { i: 2, role: 'tool', name: 'read_file', text: '"port": 80' },
    ];
    const { content } = await embeddedModel(8_000).doGenerate({
      prompt: [user(`Messages:\n\n${JSON.stringify(transcript)}\n\nEnd.`)],
      responseFormat: { type: 'json' },
    });
    const [part] = content;
    expect(part?.type === 'text' && JSON.parse(part.text)).toMatchObject({
      summary: 'The user said: "Look around." The assistant called read_file (1).',
      keyPoints: ['Steps finished: `a.json`', 'a.json: port: 80'],
      context: {
        unresolved: ['Who owns `c`?'],
        domainEntities: ['port', 'a.json', 'c'],
        constraints: ['Never edit `b`.'],
      },
      superseded: [],
    });
  });

  it('continues a record by the ids of its items', async () => {
    const prior = {
      summary: 'The user said: "Look around."',
      keyPoints: { k0: 'Steps finished: `a.json`' },
      unresolved: { u0: 'Which `port` does `b.json` set?' },
    };
    const transcript = [
      { i: 0, role: 'assistant', calls: [{ name: 'read_file', input: '{"path":"b.json"}' }] },
      { i: 1, role: 'tool', name: 'read_file', text: '"port": 81' },
    ];
    const { content } = await embeddedModel(8_000).doGenerate({
      prompt: [user(`${JSON.stringify(prior)}\n\n${JSON.stringify(transcript)}`)],
      responseFormat: { type: 'json' },
    });
    const [part] = content;
    expect(part?.type === 'text' && JSON.parse(part.text)).toMatchObject({
      summary: 'The user said: "Look around." The assistant called read_file (1).',
      keyPoints: ['Steps finished: `a.json`, `b.json`', 'b.json: port: 81'],
      resolved: ['u0'],
      superseded: ['k0'],
    });
  });
});
