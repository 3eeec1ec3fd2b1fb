import { convertToModelMessages, type UIMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import { numberMessages } from '../../src/ui/index.ts';

type Parts = UIMessage['parts'];

const step = { type: 'step-start' } as const;
const text = (words: string) => ({ type: 'text' as const, text: words });
const reasoning = { type: 'reasoning', text: 'I think.' } as const;
const note = { type: 'data-summary', id: '1', data: { state: 'running', messages: 3 } } as const;
const call = { type: 'tool-search', toolCallId: 'c1', input: {} } as const;
const finished = { ...call, state: 'output-available', output: 'found' } as const;

const answers: readonly (readonly [string, Parts])[] = [
  ['a text', [step, text('Yes.')]],
  ['nothing', []],
  ['a step that said nothing', [step]],
  ['an empty text', [step, text('')]],
  ['reasoning alone', [step, reasoning]],
  ['reasoning, then a tool, then a text', [step, reasoning, finished, step, text('Found.')]],
  ['two tools in one step', [step, finished, { ...finished, toolCallId: 'c2' }, text('Done.')]],
  ['a tool that is still called', [step, { ...call, state: 'input-available' }]],
  ['a tool that failed', [step, { ...call, state: 'output-error', errorText: 'No.' }]],
  [
    'a tool of the provider',
    [step, { ...finished, providerExecuted: true }, text('The web says so.')],
  ],
  ['a tool whose output is not final', [step, { ...finished, preliminary: true }]],
  [
    'a tool that the user allowed',
    [step, { ...call, state: 'approval-responded', approval: { id: 'a1', approved: true } }],
  ],
  [
    'a tool that the user refused',
    [step, { ...call, state: 'output-denied', approval: { id: 'a1', approved: false } }],
  ],
  ['a summary before its text', [note, step, text('Yes.')]],
  ['a summary alone', [note]],
  ['a summary between its steps', [step, finished, note, step, text('Found.')]],
  ['a dynamic tool', [step, { ...finished, type: 'dynamic-tool', toolName: 'search' }]],
  ['a file', [step, { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' }]],
  ['a source', [step, { type: 'source-url', sourceId: 's', url: 'https://example.com' }]],
];

describe('numberMessages', () => {
  it.each(answers)('numbers an answer of %s as the SDK does', async (_name, parts) => {
    const messages: UIMessage[] = [
      { id: 'system', role: 'system', parts: [text('Be brief.')] },
      { id: 'u1', role: 'user', parts: [text('Hello.')] },
      { id: 'a1', role: 'assistant', parts },
      { id: 'u2', role: 'user', parts: [text('And then?')] },
    ];
    const expected = await Promise.all(
      messages.slice(1).map(async (message) => {
        const sent = await convertToModelMessages([message], { ignoreIncompleteToolCalls: true });
        return sent.map(() => message.id);
      }),
    );
    expect(numberMessages(messages).ids).toEqual(expected.flat());
  });

  it.each(['reasoning alone', 'an empty text'])(
    'leaves out %s where origins of items are counted',
    (name) => {
      const [, parts = []] = answers.find(([other]) => other === name) ?? [];
      const { ids, originIds } = numberMessages([
        { id: 'a1', role: 'assistant', parts },
        { id: 'u1', role: 'user', parts: [text('And then?')] },
      ]);
      expect([ids, originIds]).toEqual([['a1', 'u1'], ['u1']]);
    },
  );

  it('numbers none of a page without messages, or of instructions alone', () => {
    expect(numberMessages([]).ids).toEqual([]);
    expect(numberMessages([{ id: 's', role: 'system', parts: [text('Hi.')] }]).ids).toEqual([]);
  });
});
