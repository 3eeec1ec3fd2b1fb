import type { LanguageModelV4ToolResultOutput as ToolOutput } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/index.ts';
import { renderTranscript } from '../../../../src/strategies/transcript/read-transcript.ts';
import { buildTranscript } from './fixtures.ts';
import { assistant, toolResult, user } from '../../../strategies/llm/fixtures.ts';

async function rendered(messages: readonly Message[]): Promise<unknown> {
  return JSON.parse(renderTranscript(await buildTranscript(messages)));
}

describe('buildTranscript', () => {
  it('writes messages, calls and results as one array', async () => {
    const both: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', toolCallId: '1', toolName: 'fetch', input: { url: 'a' } },
        { type: 'tool-call', toolCallId: '2', toolName: 'grep', input: 'raw' },
      ],
    };
    expect(
      await rendered([user('Hi'), both, toolResult('fetch', 'ok'), assistant('Done.')]),
    ).toEqual([
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

  it('keeps the result of a provider-executed tool apart from the text after it', async () => {
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
    expect(await rendered([message])).toEqual([
      { i: 0, role: 'assistant', text: 'before', calls: [{ name: 'web', input: '{}' }] },
      { i: 0, role: 'assistant', name: 'web', text: '{"hits":2}' },
      { i: 0, role: 'assistant', text: 'after' },
    ]);
  });

  it('shows files as placeholders, inline documents with their text, and leaves reasoning out', async () => {
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
    expect(await rendered(messages)).toEqual([
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
  ])('reads the tool output %j', async (output, text) => {
    const message: Message = {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: '1', toolName: 't', output }],
    };
    expect(await rendered([message])).toEqual([{ i: 0, role: 'tool', name: 't', text }]);
  });

  it('reports approvals', async () => {
    const message: Message = {
      role: 'tool',
      content: [
        { type: 'tool-approval-response', approvalId: '1', approved: true },
        { type: 'tool-approval-response', approvalId: '2', approved: false, reason: 'too risky' },
      ],
    };
    expect(await rendered([message])).toEqual([
      {
        i: 0,
        role: 'tool',
        text: '[the user approved the tool call]\n[the user denied the tool call: too risky]',
      },
    ]);
  });
});
