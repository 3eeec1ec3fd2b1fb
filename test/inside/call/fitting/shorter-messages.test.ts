import { describe, expect, it } from 'vitest';
import { condenseToolResults } from '../../../../src/call/fitting/condensed-messages.ts';
import { cutTexts } from '../../../../src/call/fitting/shorter-messages.ts';
import type { Message } from '../../../../src/index.ts';
import { assistant, call, result, user } from '../../../support/prompt-messages.ts';
import { untyped } from '../../../support/untyped.ts';

type Output = ReturnType<typeof result>['output'];

const long = 'abcdefghij'.repeat(500);
const whole = long.slice(0, 200);
const file = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: long } } as const;
const text = { type: 'text', text: long } as const;

const tool = (output: Output): Message => ({
  role: 'tool',
  content: [{ ...result('1'), output }],
});

describe('cutTexts', () => {
  it.each<[string, Output, unknown]>([
    ['a text', { type: 'text', value: long }, /^abcdefghij[^]*omitted[^]*abcdefghij$/],
    ['an error', { type: 'error-text', value: long }, /omitted/],
    ['JSON', { type: 'json', value: { a: long } }, /^\{"a":"abc[^]*omitted/],
    ['JSON that is a text, without quotes', { type: 'json', value: long }, /^abc[^]*omitted[^]*j$/],
  ])('shortens %s to exactly so much, and keeps its type', (_name, output, expected) => {
    const after = cutTexts(tool(output), 300);
    const value = expect.stringMatching(untyped<RegExp>(expected));
    expect(after).toEqual(tool(untyped({ ...output, value })));
    expect(JSON.stringify(after).length).toBeLessThan(700);
  });

  it('shortens texts among files and approvals, which stay, and no surrogate pair', () => {
    const response = { type: 'tool-approval-response', approvalId: '1', approved: true } as const;
    const content = [response, result('1', long), result('2', 'short')];
    const after = cutTexts({ role: 'tool', content }, 200);
    expect(after.content).toMatchObject([response, { toolCallId: '1' }, result('2', 'short')]);
    const cut = { type: 'text', text: expect.stringMatching(/^abcdefghij[^]*omitted/) };
    expect(cutTexts({ role: 'user', content: [file, text] }, 200).content).toEqual([file, cut]);
    const answered = cutTexts(tool({ type: 'content', value: [text, file] }), 200);
    expect(answered).toEqual(tool(untyped({ type: 'content', value: [cut, file] })));
    const pairs = cutTexts(tool({ type: 'text', value: '🙂'.repeat(900) }), 201);
    expect(JSON.stringify(pairs)).not.toMatch(/\\ud[89a-f]/i);
  });

  it.each<[string, Message]>([
    ['of the model', assistant(long, call('1'))],
    ['of the user that is as long as is left', user(whole)],
    ['that is a refusal', tool({ type: 'execution-denied', reason: long })],
    ['that is nothing', tool(untyped({ type: 'json' }))],
    ['that is as long as is left', tool({ type: 'text', value: whole })],
    [
      'of more parts than the call stack holds',
      tool({
        type: 'content',
        value: Array.from({ length: 200_000 }, () => ({ ...text, text: 'a' })),
      }),
    ],
  ])('gives back what is %s', (_what, message) => {
    expect(cutTexts(message, 200)).toBe(message);
  });
});

describe('condenseToolResults', () => {
  const asked = assistant('', call('1', { input: { path: 'a.ts' } }));
  const answered = tool({ type: 'text', value: long });
  const response = { type: 'tool-approval-response', approvalId: '1', approved: true } as const;
  const recalled = { recalledFromArchive: true, passages: [{ position: 0, text: long }] };
  const condense = (...stale: readonly Message[]): readonly Message[] =>
    condenseToolResults([asked, answered, ...stale], new Set(stale), {}).slice(1);

  it('condenses the outputs that are stale, by their calls, and what stands beside them stays', () => {
    const beside: Message = { role: 'tool', content: [response, result('1', long)] };
    const files = tool({ type: 'content', value: [{ type: 'text', text: 'ok' }, file] });
    const [fresh, first, second] = condense(beside, files);
    expect(fresh).toBe(answered);
    const line = expect.stringMatching(/^\[✓ read_file: (?:File|path): a\.ts/);
    const value = [{ type: 'text', text: line }];
    expect(first?.content).toEqual([
      response,
      { ...result('1'), output: { type: 'text', value: line } },
    ]);
    expect(second).toEqual(tool(untyped({ type: 'content', value })));
  });

  it.each<[string, Message]>([
    ['stands in an answer', assistant('', result('1', long))],
    ['was read from the archive', tool({ type: 'json', value: recalled })],
    ['is a refusal', tool({ type: 'execution-denied', reason: long })],
  ])('condenses no result that %s', (_what, message) => {
    expect(condense(message)[1]).toBe(message);
  });
});
