import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { cutTexts } from '../../../src/fitting/shorter-messages.ts';
import { assistant, call, result, system, user } from '../../support/prompt-messages.ts';
import { untyped } from '../../support/untyped.ts';
import type { ToolMessage } from '../../support/prompt-types.ts';

type Output = ReturnType<typeof result>['output'];

const long = 'abcdefghij'.repeat(500);

function tool(output: Output): ToolMessage {
  return { role: 'tool', content: [{ ...result('1'), output }] };
}

function outputOf(message: Message | undefined): Output | undefined {
  const [part] = message?.role === 'tool' ? message.content : [];
  return part?.type === 'tool-result' ? part.output : undefined;
}

describe('cutTexts', () => {
  it.each<[string, Output]>([
    ['a text', { type: 'text', value: long }],
    ['an error', { type: 'error-text', value: long }],
    ['JSON', { type: 'json', value: { a: long } }],
    ['JSON that is a text', { type: 'json', value: long }],
    ['an error in JSON', { type: 'error-json', value: [long] }],
    [
      'texts among files',
      {
        type: 'content',
        value: [
          { type: 'text', text: long },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
        ],
      },
    ],
  ])('shortens %s and keeps its type', (_name, output) => {
    const before = tool(output);
    const after = cutTexts(before, 200);
    expect(outputOf(after)?.type).toBe(output.type);
    expect(JSON.stringify(after).length).toBeLessThan(700);
    expect(JSON.stringify(after)).toContain('characters omitted');
    expect({ ...after, content: 0 }).toEqual({ ...before, content: 0 });
    // It is the same however often it is asked for.
    expect(cutTexts(before, 200)).toEqual(after);
  });

  it.each<[string, Message]>([
    ['of the model', assistant(long, call('1'))],
    ['of the system', system(long)],
    ['of the user that is as long as is left', user(long.slice(0, 200))],
    ['that is a refusal', tool({ type: 'execution-denied', reason: long })],
    [
      'that is a file',
      tool({
        type: 'content',
        value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: long } }],
      }),
    ],
    ['of an unknown type', tool(untyped({ type: 'hologram', value: long }))],
    ['without a value', tool({ type: 'json', value: null })],
    ['that is a number', tool({ type: 'json', value: 7 })],
    ['that is nothing', tool(untyped({ type: 'json' }))],
    ['that is as long as is left', tool({ type: 'text', value: long.slice(0, 200) })],
    ['that is JSON as long as is left', tool({ type: 'json', value: long.slice(0, 200) })],
    ['without parts', tool({ type: 'content', value: [] })],
    [
      'of more parts than the call stack holds',
      tool({
        type: 'content',
        value: Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'a' })),
      }),
    ],
  ])('gives back what is %s', (_what, message) => {
    expect(cutTexts(message, 200)).toBe(message);
  });

  it('keeps ids, names and what stands beside a long text', () => {
    const picture = {
      type: 'file',
      mediaType: 'image/png',
      data: { type: 'data', data: long },
    } as const;
    const response = { type: 'tool-approval-response', approvalId: '1', approved: true } as const;
    const content = [response, result('1', long), result('2', 'short')];
    const after = cutTexts({ role: 'tool', content }, 200);
    expect(after.content).toMatchObject([response, { toolCallId: '1' }, result('2', 'short')]);
    const said: Message = { role: 'user', content: [picture, { type: 'text', text: long }] };
    expect(cutTexts(said, 200).content).toMatchObject([
      picture,
      { text: expect.stringMatching(/^abcdefghij/) },
    ]);
  });

  it('leaves of a text exactly so much, and of a surrogate pair both or none', () => {
    const exact = outputOf(cutTexts(tool({ type: 'text', value: long }), 300));
    expect(exact?.type === 'text' && exact.value.length).toBe(300);
    const pairs = cutTexts(tool({ type: 'text', value: '🙂'.repeat(900) }), 201);
    expect(JSON.stringify(pairs)).not.toMatch(/\\ud[89a-f]/i);
  });

  it('shortens JSON that is a text without its quotes', () => {
    const output = outputOf(cutTexts(tool({ type: 'json', value: long }), 200));
    expect(output?.type === 'json' && output.value).toMatch(/^abcdefghij.*abcdefghij$/s);
  });
});
