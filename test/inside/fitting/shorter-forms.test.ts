import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import {
  cutTexts,
  leastForms,
  restoreMessages,
  type Shortened,
} from '../../../src/fitting/shorter-forms.ts';
import { noPauses } from '../support/no-pauses.ts';
import { defaultPriority } from '../../../src/selection/message-priority.ts';
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

/** Characters as tokens. */
async function count(message: Message): Promise<number> {
  const output = outputOf(message);
  if (output?.type === 'text') return output.value.length;
  return JSON.stringify(message.content).length;
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

describe('leastForms', () => {
  const conversation = [
    user(long),
    assistant(long, call('1', { input: { path: 'a.ts' } })),
    tool({ type: 'text', value: long }),
    tool({ type: 'text', value: 'short' }),
    user(long),
  ];
  const condense = async (message: Message): Promise<Message> => message;

  it.each([
    ['of the user', 0, new Set<number>(), true],
    ['of the model', 1, new Set<number>(), false],
    ['of a tool', 2, new Set<number>(), true],
    ['of a tool that is pinned', 2, new Set([2]), false],
    ['of a tool that is short', 3, new Set<number>(), false],
    ['of the user, the latest', 4, new Set<number>(), false],
    ['that is not there', 9, new Set<number>(), false],
  ])('knows a shorter form of a message %s', async (_whose, index, pinned, isShorter) => {
    const shorten = leastForms(
      { conversation, pinned },
      { count, condense, slices: noPauses },
      200,
    );
    const form = await shorten(index);
    expect(form !== undefined).toBe(isShorter);
    if (form === undefined) return;
    expect(form.full).toBe(conversation[index]);
    expect(form.tokens).toEqual({ full: await count(form.full), least: await count(form.least) });
  });

  it('writes a JSON output once, however many lengths are tried', async () => {
    let written = 0;
    const value = {
      toJSON: () => {
        written += 1;
        return { text: long };
      },
    };
    const message = tool({ type: 'json', value: untyped(value) });
    const view = { conversation: [message], pinned: new Set<number>() };
    const least = async (each: Message): Promise<number> => (each === message ? 9 : 1);
    const shorten = leastForms(view, { count: least, condense, slices: noPauses }, 200);
    expect(await shorten(0)).toMatchObject({ full: message });
    for (const characters of [200, 300, 400]) cutTexts(message, characters);
    expect(written).toBe(1);
  });

  it('knows none where facts take more tokens than what they stand for', async () => {
    const longer = async (): Promise<Message> => tool({ type: 'text', value: `${long}${long}` });
    const tools = { count, condense: longer, slices: noPauses };
    const shorten = leastForms({ conversation, pinned: new Set() }, tools, 20_000);
    expect(await shorten(2)).toBeUndefined();
  });
});

describe('restoreMessages', () => {
  /** Outputs of 100 tokens each, of which ten are left. */
  const shortened = (...indexes: number[]): Shortened[] =>
    indexes.map((index) => ({
      index,
      full: tool({ type: 'text', value: long.slice(0, 100) }),
      least: tool({ type: 'text', value: long.slice(0, 10) }),
      tokens: { full: 100, least: 10 },
    }));

  it.each([
    ['nothing where there is no room', 3, []],
    ['the newest first, as far as there is room', 180, [5, 3]],
    ['all where there is room for all', 270, [5, 3, 1]],
    ['head and tail of the first that does not fit', 140, [5, 3]],
    ['nothing that says less than the facts', 95, [5]],
  ])('gives back %s', async (_what, room, expected) => {
    const forms = shortened(1, 3, 5);
    const restored = await restoreMessages(forms, room, count, defaultPriority);
    expect([...restored.keys()]).toEqual(expected);
    let taken = 0;
    for (const message of restored.values()) taken += (await count(message)) - 10;
    expect(taken).toBeLessThanOrEqual(room);
  });

  it('gives back first what matters more', async () => {
    const [first, second] = shortened(1, 3);
    if (first === undefined || second === undefined) throw new Error('Two were made.');
    const matters = (message: Message): number => (message === first.full ? 1 : 0);
    const restored = await restoreMessages([second, first], 90, count, matters);
    expect([...restored.keys()]).toEqual([1]);
  });

  it('counts a bounded number of times however long the texts are', async () => {
    let counts = 0;
    const full = tool({ type: 'text', value: 'x'.repeat(5_000_000) });
    const form = { ...shortened(1)[0], index: 1, full, tokens: { full: 5_000_000, least: 10 } };
    const counted = (message: Message): Promise<number> => {
      counts += 1;
      return count(message);
    };
    const least = tool({ type: 'text', value: 'x' });
    await restoreMessages([{ ...form, least }], 3000, counted, defaultPriority);
    expect(counts).toBeLessThan(40);
  });
});
