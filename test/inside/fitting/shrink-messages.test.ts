import { describe, expect, it } from 'vitest';
import type { Message } from '../../../src/index.ts';
import { jsonTexts } from '../../../src/fitting/json-texts.ts';
import {
  longestText,
  shrinkMessage,
  shrinkMessages,
} from '../../../src/fitting/shrink-messages.ts';
import { timeSlices } from '../../../src/util/async/time-slices.ts';
import { assistant, call, result, system, user } from '../../support/prompt-messages.ts';
import { untyped } from '../../support/untyped.ts';
import type { ToolMessage } from '../../support/prompt-types.ts';

type Output = ReturnType<typeof result>['output'];

const long = 'abcdefghij'.repeat(500);

function tool(output: Output): ToolMessage {
  return { role: 'tool', content: [{ ...result('1'), output }] };
}

/** Accepts messages whose texts are at most so long together. */
function upTo(characters: number): (messages: readonly Message[]) => boolean {
  return (messages) => JSON.stringify(messages).length <= characters;
}

const never = (): boolean => false;

function outputOf(message: Message | undefined): Output | undefined {
  const [part] = message?.role === 'tool' ? message.content : [];
  return part?.type === 'tool-result' ? part.output : undefined;
}

describe('shrinkMessages', () => {
  it('returns what fits as it is', async () => {
    const messages = [user(long), user('a')];
    expect(await shrinkMessages(messages, () => true, { leastCharacters: 100 })).toBe(messages);
  });

  it('returns what has nothing to shorten as it is', async () => {
    const messages = [user('short'), assistant(long), system(long), user(long)];
    const shrunk = await shrinkMessages(messages, never, { leastCharacters: 100 });
    shrunk.forEach((message, index) => expect(message).toBe(messages[index]));
  });

  it('leaves an output of an unknown type as it is, and shortens the others', async () => {
    const unknown = tool(untyped({ type: 'hologram', value: long }));
    const messages = [unknown, tool({ type: 'text', value: long }), user('a')];
    const [first, second] = await shrinkMessages(messages, never, { leastCharacters: 200 });
    expect(first).toBe(unknown);
    expect(JSON.stringify(second).length).toBeLessThan(700);
  });

  it.each<[string, Output, (output: Output | undefined) => unknown]>([
    ['a text', { type: 'text', value: long }, (output) => output],
    ['an error', { type: 'error-text', value: long }, (output) => output],
    ['JSON', { type: 'json', value: { a: long } }, (output) => output],
    ['JSON that is a text', { type: 'json', value: long }, (output) => output],
    ['an error in JSON', { type: 'error-json', value: [long] }, (output) => output],
    [
      'texts among files',
      {
        type: 'content',
        value: [
          { type: 'text', text: long },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
        ],
      },
      (output) => output,
    ],
  ])('shortens %s and keeps its type', async (_name, output) => {
    const before = tool(output);
    const [after] = await shrinkMessages([before, user('a')], never, { leastCharacters: 200 });
    expect(outputOf(after)?.type).toBe(output.type);
    expect(JSON.stringify(after).length).toBeLessThan(700);
    expect(JSON.stringify(after)).toContain('characters omitted');
    expect(JSON.stringify({ ...before, content: 0 })).toBe(
      JSON.stringify({ ...after, content: 0 }),
    );
  });

  it('leaves files and refusals alone', async () => {
    const denied = tool({ type: 'execution-denied', reason: long });
    const picture = tool({
      type: 'content',
      value: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: long } }],
    });
    const shrunk = await shrinkMessages([denied, picture, user(long)], never, {
      leastCharacters: 10,
    });
    expect(shrunk[0]).toBe(denied);
    expect(shrunk[1]).toBe(picture);
  });

  it('keeps ids, names and the results beside', async () => {
    const two: ToolMessage = { role: 'tool', content: [result('1', long), result('2', 'short')] };
    const [after] = await shrinkMessages([two], never, { leastCharacters: 200 });
    expect(after?.role).toBe('tool');
    if (after?.role !== 'tool') return;
    expect(after.content.map((part) => part.type === 'tool-result' && part.toolCallId)).toEqual([
      '1',
      '2',
    ]);
    expect(after.content[1]).toBe(two.content[1]);
  });

  it('never touches assistant, system and the latest user message', async () => {
    const messages = [
      system(long),
      user(long),
      assistant(long, call('1')),
      tool({ type: 'text', value: long }),
      user(long),
    ];
    const shrunk = await shrinkMessages(messages, never, { leastCharacters: 200 });
    expect(shrunk.map((message, index) => message === messages[index])).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('shortens the latest user message of none but the last', async () => {
    const messages = [
      user(long),
      assistant('a'),
      user(`${long}!`),
      assistant('', call('1')),
      tool({ type: 'text', value: 'ok' }),
    ];
    const shrunk = await shrinkMessages(messages, never, { leastCharacters: 200 });
    expect(shrunk[0]).not.toBe(messages[0]);
    expect(shrunk[2]).toBe(messages[2]);
  });

  it('takes from the largest first and no more than is needed', async () => {
    const messages = [
      tool({ type: 'text', value: long }),
      tool({ type: 'text', value: 'x'.repeat(800) }),
      user('a'),
    ];
    const whole = JSON.stringify(messages).length;
    const shrunk = await shrinkMessages(messages, upTo(whole - 1000), { leastCharacters: 200 });
    expect(shrunk[1]).toBe(messages[1]);
    const size = JSON.stringify(shrunk).length;
    expect(size).toBeLessThanOrEqual(whole - 1000);
    expect(size).toBeGreaterThan(whole - 1000 - 600);
  });

  it('never leaves less than it was told to', async () => {
    const [after] = await shrinkMessages([tool({ type: 'text', value: long })], never, {
      leastCharacters: 300,
    });
    const output = outputOf(after);
    expect(output?.type === 'text' && output.value.length).toBe(300);
  });

  it('does not split a surrogate pair', async () => {
    const [after] = await shrinkMessages([tool({ type: 'text', value: '🙂'.repeat(900) })], never, {
      leastCharacters: 201,
    });
    expect(JSON.stringify(after)).not.toMatch(/\\ud[89a-f]/i);
  });

  it('counts a bounded number of times however long the texts are', async () => {
    let counts = 0;
    const messages = [tool({ type: 'text', value: 'x'.repeat(5_000_000) }), user('a')];
    await shrinkMessages(
      messages,
      (candidate) => {
        counts += 1;
        return JSON.stringify(candidate).length < 3000;
      },
      { leastCharacters: 200 },
    );
    expect(counts).toBeLessThan(40);
  });

  it('takes an output of more parts than the call stack holds', async () => {
    const value = Array.from({ length: 200_000 }, () => ({ type: 'text' as const, text: 'a' }));
    const message = tool({ type: 'content', value });
    expect(await shrinkMessages([message], never, { leastCharacters: 200 })).toEqual([message]);
  });

  it('writes a JSON output once, however many lengths are tried', async () => {
    let written = 0;
    const value = {
      text: long,
      toJSON: () => {
        written += 1;
        return { text: long };
      },
    };
    const message = tool({ type: 'json', value: untyped(value) });
    const isShort = ([only]: readonly Message[]): boolean => {
      const output = outputOf(only);
      return (
        output?.type === 'json' && typeof output.value === 'string' && output.value.length <= 1000
      );
    };
    await shrinkMessages([message], isShort, { leastCharacters: 200 });
    expect(written).toBe(1);
  });

  it.each([
    ['asks once where no text is longer than the least', 300, 1],
    ['asks twice where the least does not fit', 301, 2],
  ])('%s', async (_what, characters, times) => {
    let asked = 0;
    const messages = [tool({ type: 'text', value: long.slice(0, characters) }), user('a')];
    const isNever = (): boolean => {
      asked += 1;
      return false;
    };
    const shrunk = await shrinkMessages(messages, isNever, { leastCharacters: 300 });
    expect(asked).toBe(times);
    expect(shrunk === messages).toBe(times === 1);
  });

  it.each([
    // Within a sixteenth of 160 the least is good enough; above that, 165 are tried.
    [170, 159],
    [171, 164],
  ])('leaves of a text of %i characters that does not fit %i', async (characters, expected) => {
    const message = tool({ type: 'text', value: long.slice(0, characters) });
    const isShorter = ([only]: readonly Message[]): boolean => only !== message;
    const [after] = await shrinkMessages([message], isShorter, { leastCharacters: 160 });
    const output = outputOf(after);
    expect(output?.type === 'text' && output.value.length).toBe(expected);
  });

  it('shortens JSON that is a text without its quotes', async () => {
    const message = tool({ type: 'json', value: long });
    const [after] = await shrinkMessages([message], never, { leastCharacters: 200 });
    const output = outputOf(after);
    expect(output?.type === 'json' && output.value).toMatch(/^abcdefghij.*abcdefghij$/s);
  });

  it.each([
    ['no value', { type: 'json', value: null }],
    ['a number', { type: 'json', value: 7 }],
    ['a truth', { type: 'json', value: true }],
    ['as much text as is left', { type: 'text', value: long.slice(0, 200) }],
    ['as much JSON as is left', { type: 'json', value: long.slice(0, 200) }],
    ['no parts', { type: 'content', value: [] }],
  ] satisfies [string, Output][])('leaves an output of %s as it is', async (_what, output) => {
    const message = tool(output);
    const messages = [message, tool({ type: 'text', value: long })];
    const shrunk = await shrinkMessages(messages, never, { leastCharacters: 200 });
    expect(shrunk[0]).toBe(message);
    expect(shrunk[1]).not.toBe(messages[1]);
  });

  it('leaves what is no result beside one as it is', async () => {
    const response = { type: 'tool-approval-response', approvalId: '1', approved: true } as const;
    const message: ToolMessage = { role: 'tool', content: [response, result('1', long)] };
    const [after] = await shrinkMessages([message], never, { leastCharacters: 200 });
    expect(after?.content[0]).toBe(response);
    expect(after?.content[1]).not.toBe(message.content[1]);
  });

  it('waits for its turn before each message', async () => {
    const messages = [user(long), user('a')];
    const reason = new Error('aborted');
    const slices = { pause: () => Promise.reject(reason) };
    const shrinking = shrinkMessages(messages, never, { leastCharacters: 200, slices });
    await expect(shrinking).rejects.toBe(reason);
  });

  it('never shortens the summary, nor what it is told to leave', async () => {
    const messages = [user(`The summary. ${long}`), user(`Pinned. ${long}`), user(long), user('a')];
    const shrunk = await shrinkMessages(messages, never, {
      leastCharacters: 200,
      summary: `The summary. ${long}`,
      verbatim: new Set(messages.slice(1, 2)),
    });
    const changed = shrunk.map((message, index) => message !== messages[index]);
    expect(changed).toEqual([false, false, true, false]);
  });
});

describe('shrinkMessage', () => {
  const noJson = (): string => '';
  const picture = {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: long },
  } as const;

  it('shortens the long texts of a message and nothing else', () => {
    const message: Message = {
      role: 'user',
      content: [
        picture,
        { type: 'text', text: long.slice(0, 200) },
        { type: 'text', text: long.slice(0, 201) },
      ],
    };
    const { content } = shrinkMessage(message, 200, { jsonText: noJson });
    expect(content[0]).toBe(picture);
    expect(content[1]).toBe(message.content[1]);
    expect(content[2]).not.toBe(message.content[2]);
    expect(content[2]).toMatchObject({ text: expect.stringMatching(/^abcdefghij/) });
  });

  it.each([
    ['of the user', user(long.slice(0, 200))],
    ['of a tool', tool({ type: 'text', value: long.slice(0, 200) })],
    ['of the model', assistant(long)],
    ['of the system', system(long)],
  ])('gives back a message %s in which nothing is shortened', (_whose, message) => {
    expect(shrinkMessage(message, 200, { jsonText: noJson })).toBe(message);
  });
});

describe('longestText', () => {
  const content = (...texts: string[]): Message =>
    tool({ type: 'content', value: texts.map((text) => ({ type: 'text', text })) });
  const file: Message = {
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png', data: { type: 'data', data: long } }],
  };

  it.each<[string, readonly Message[], number]>([
    ['no message', [], 0],
    ['the longest text', [user('abc'), user('abcde'), user('abcd')], 5],
    ['an answer', [assistant('abcdef'), user('abc')], 6],
    ['no system message', [system(long), user('abc')], 3],
    ['no file', [file, user('abc')], 3],
    ['an output', [tool({ type: 'text', value: 'abcdefg' }), user('abc')], 7],
    ['JSON as it is written', [tool({ type: 'json', value: { a: 1 } })], 7],
    ['JSON that is a text without its quotes', [tool({ type: 'json', value: 'abc' })], 3],
    ['the longest part of an output', [content('ab', 'abcd', 'abc')], 4],
    ['no refusal', [tool({ type: 'execution-denied', reason: long })], 0],
    ['nothing unknown', [tool(untyped({ type: 'hologram', value: long }))], 0],
  ])('measures %s', async (_what, messages, expected) => {
    expect(longestText(messages, await jsonTexts(messages, timeSlices()))).toBe(expected);
  });
});
