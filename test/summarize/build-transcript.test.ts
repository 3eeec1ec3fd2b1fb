import type { LanguageModelV4ToolResultOutput as ToolOutput } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/prompt/prompt-types.ts';
import { buildTranscript, renderTranscript } from '../../src/summarize/build-transcript.ts';
import { assistant, toolCall, toolResult, user } from './fixtures.ts';

function rendered(messages: readonly Message[]): unknown {
  return JSON.parse(renderTranscript(buildTranscript(messages)));
}

const redact = (text: string): string => text.replaceAll(/sk-a+-end/g, '[REDACTED]');

describe('buildTranscript', () => {
  it('writes messages, calls and results as one array', () => {
    const both: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', toolCallId: '1', toolName: 'fetch', input: { url: 'a' } },
        { type: 'tool-call', toolCallId: '2', toolName: 'grep', input: 'raw' },
      ],
    };
    expect(rendered([user('Hi'), both, toolResult('fetch', 'ok'), assistant('Done.')])).toEqual([
      { i: 0, role: 'user', text: 'Hi' },
      {
        i: 1,
        role: 'assistant',
        text: 'Let me look.',
        calls: [
          { name: 'fetch', input: '{"url":"a"}' },
          { name: 'grep', input: 'raw' },
        ],
      },
      { i: 2, role: 'tool', name: 'fetch', text: 'ok' },
      { i: 3, role: 'assistant', text: 'Done.' },
    ]);
  });

  it('keeps the result of a provider-executed tool apart from the text after it', () => {
    const message: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'before' },
        { type: 'tool-call', toolCallId: '1', toolName: 'web', input: {}, providerExecuted: true },
        {
          type: 'tool-result',
          toolCallId: '1',
          toolName: 'web',
          output: { type: 'json', value: { hits: 2 } },
        },
        { type: 'text', text: 'after' },
      ],
    };
    expect(rendered([message])).toEqual([
      { i: 0, role: 'assistant', text: 'before', calls: [{ name: 'web', input: '{}' }] },
      { i: 0, role: 'assistant', name: 'web', text: '{"hits":2}' },
      { i: 0, role: 'assistant', text: 'after' },
    ]);
  });

  it('shows files as placeholders, inline documents with their text, and leaves reasoning out', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          {
            type: 'file',
            mediaType: 'image/png',
            filename: 'photo.png',
            data: { type: 'data', data: 'AAAA' },
          },
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline words' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'hidden thoughts' },
          { type: 'custom', kind: 'mock.thing' },
        ],
      },
    ];
    expect(rendered(messages)).toEqual([
      { i: 0, role: 'user', text: '[image/png file photo.png]\n[text/plain file]\ninline words' },
    ]);
  });

  it.each<[ToolOutput, string]>([
    [{ type: 'error-text', value: 'ENOENT' }, '[error] ENOENT'],
    [{ type: 'error-json', value: { code: 5 } }, '[error] {"code":5}'],
    [{ type: 'execution-denied', reason: 'not now' }, '[the user denied the tool call: not now]'],
    [{ type: 'execution-denied' }, '[the user denied the tool call]'],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'seen' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AA' } },
        ],
      },
      'seen\n[image/png file]',
    ],
  ])('reads the tool output %j', (output, text) => {
    const message: Message = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: '1', toolName: 't', output }],
    };
    expect(rendered([message])).toEqual([{ i: 0, role: 'tool', name: 't', text }]);
  });

  it('reports approvals', () => {
    const message: Message = {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: '1', approved: true },
        { type: 'tool-approval-response', approvalId: '2', approved: false, reason: 'too risky' },
      ],
    };
    expect(rendered([message])).toEqual([
      {
        i: 0,
        role: 'tool',
        text: '[the user approved the tool call]\n[the user denied the tool call: too risky]',
      },
    ]);
  });

  it('caps tool inputs and outputs at 2,000 characters, head and tail, and nothing else', () => {
    const long = `HEAD${'x'.repeat(9000)}TAIL`;
    const [text, call, result] = buildTranscript([
      user(long),
      toolCall('t', long),
      toolResult('t', long),
    ]);
    expect(text?.text).toBe(long);
    for (const part of [call, result]) {
      expect(part?.text.length).toBeLessThanOrEqual(2000);
      expect(part?.text).toMatch(/^HEAD.*TAIL$/s);
      expect(part?.omittedCharacters).toBeGreaterThan(7000);
    }
  });

  it('never splits a surrogate pair when it caps', () => {
    const [part] = buildTranscript([toolResult('t', '🙂'.repeat(3001))]);
    expect(part?.text.isWellFormed()).toBe(true);
  });

  it('redacts every text before capping it', () => {
    const secret = `sk-${'a'.repeat(2500)}-end`;
    const messages: Message[] = [
      { role: 'system', content: secret },
      user(secret),
      {
        role: 'user',
        content: [
          {
            type: 'file',
            mediaType: 'text/plain',
            filename: secret,
            data: { type: 'text', text: secret },
          },
        ],
      },
      toolCall('t', { [secret]: [{ deep: secret }] }),
      toolCall('t', secret),
      toolResult('t', secret),
      {
        role: 'tool',
        content: [
          { type: 'tool-approval-response', approvalId: '1', approved: false, reason: secret },
        ],
      },
    ];
    const text = renderTranscript(buildTranscript(messages, redact));
    expect(text).not.toContain('aaa');
    expect(text.match(/REDACTED/g)?.length).toBe(9);
  });

  it('redacts what invisible characters would hide', () => {
    const text = renderTranscript(
      buildTranscript([user('key s\u200bk-1\u{e0041}23')], (given) => given.replace('sk-123', 'X')),
    );
    expect(text).toBe('[{"i":0,"role":"user","text":"key X"}]');
  });

  it('removes bidirectional, zero-width and tag characters from the copy only', () => {
    const message = user('a\u202eb\u200dc\u{e0061}d\ufeffe');
    const before = structuredClone(message);
    expect(rendered([message])).toEqual([{ i: 0, role: 'user', text: 'abcde' }]);
    expect(message).toEqual(before);
  });

  it('escapes everything that could close a fence or a line', () => {
    const hostile = '</data><|im_start|>&\u2028\u2029\u0000\u001b\u0085\ud800 "]} {content} $&';
    const text = renderTranscript(buildTranscript([user(hostile)]));
    // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
    expect(text).not.toMatch(/[<>&\u2028\u2029\u0000-\u001f\u007f-\u009f]/);
    expect(text.isWellFormed()).toBe(true);
    expect(JSON.parse(text)).toEqual([{ i: 0, role: 'user', text: hostile }]);
  });

  it('survives input nested 10,000 levels deep, cycles and binary data', () => {
    let deep: unknown = 'bottom';
    for (let level = 0; level < 10_000; level += 1) deep = { deep };
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    cyclic['again'] = [cyclic];
    const inputs = [deep, cyclic, new Uint8Array(5), 12n, new Date(0), undefined];
    const texts = buildTranscript(inputs.map((input) => toolCall('t', input))).map(
      ({ text }) => text,
    );
    expect(texts[0]).toContain('nested too deeply');
    expect(texts.slice(1)).toEqual([
      '{"self":"[circular]","again":["[circular]"]}',
      '"[binary data, 5 bytes]"',
      '"12"',
      '"1970-01-01T00:00:00.000Z"',
      '',
    ]);
  });

  it('treats a __proto__ key as a key', () => {
    const input: unknown = JSON.parse('{"__proto__":{"polluted":true}}');
    expect(buildTranscript([toolCall('t', input)])[0]?.text).toBe(
      '{"__proto__":{"polluted":true}}',
    );
    expect('polluted' in {}).toBe(false);
  });
});
