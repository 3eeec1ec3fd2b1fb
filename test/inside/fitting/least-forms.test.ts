import { describe, expect, it } from 'vitest';
import { leastForms, shortestForms } from '../../../src/fitting/least-forms.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, call, result, user } from '../../support/prompt-messages.ts';
import { callToFit, conversationOf } from './call-to-fit.ts';

/** So many messages of 50 tokens each. */
function fifties(count: number) {
  return conversationOf(Array.from({ length: count }, (_, index) => user(textOf(index, 50))));
}

function textOf(index: number, length: number): string {
  return `${index}`.padStart(length, '.');
}

/** Gives each message of a range another length, and keeps the ranges that were asked for. */
function shorteningTo(length: number) {
  const ranges: (readonly [number, number])[] = [];
  const shorten = async (first: number, end: number): Promise<readonly Message[]> => {
    ranges.push([first, end]);
    return Array.from({ length: end - first }, (_, at) => user(textOf(first + at, length)));
  };
  return { ranges, shorten };
}

describe('leastForms', () => {
  it.each([
    ['until they fill the room', 100, 0, 959, 4],
    ['as far as the start where they just fill it', 100, 0, 960, 0],
    ['no further than the start', 100, 50, 5000, 50],
    ['none where there is nothing before the end', 100, 100, 5000, 100],
  ])('reads messages from the newest back %s', async (_how, end, start, room, reach) => {
    const { shorten, ranges } = shorteningTo(10);
    const least = await leastForms({ ...fifties(100), start }, { end, room, shorten });
    expect(least.reach).toBe(reach);
    expect(least.shortened.map(({ index }) => index)).toEqual(
      Array.from({ length: end - reach }, (_, at) => end - 1 - at),
    );
    expect([...least.tokens]).toEqual(least.shortened.map(({ index }) => [index, 10]));
    for (const { index, full, least: form } of least.shortened) {
      expect(full).toEqual(user(textOf(index, 50)));
      expect(form).toEqual(user(textOf(index, 10)));
    }
    expect(ranges.every(([first, last]) => last - first <= 32)).toBe(true);
  });

  it.each([
    ['as long', 50],
    ['longer', 60],
  ])('leaves a message as it is whose other form is %s', async (_how, length) => {
    const { shorten } = shorteningTo(length);
    const forms = { end: 64, room: 1700, shorten };
    expect(await leastForms(fifties(64), forms)).toEqual({
      tokens: new Map(),
      reach: 0,
      shortened: [],
    });
  });
});

describe('leastForms of messages that stay', () => {
  it('counts each of them once', async () => {
    const conversation = fifties(40);
    let counted = 0;
    const count = async (): Promise<number> => {
      counted += 1;
      return 50;
    };
    const shorten = async (first: number, end: number): Promise<readonly Message[]> =>
      conversation.messages.slice(first, end);
    await leastForms({ ...conversation, count }, { end: 40, room: 5000, shorten });
    expect(counted).toBe(40);
  });
});

describe('shortestForms', () => {
  const long = 'a long line of the log\n'.repeat(40);
  const messages: Message[] = [
    user(long),
    assistant('', call('1', { input: { path: 'src/a.ts' } }), call('2')),
    { role: 'tool', content: [result('1', long)] },
    { role: 'tool', content: [result('2', long)] },
    user(`Please: ${long}`),
    assistant(long),
  ];

  it.each<[string, number[], readonly boolean[]]>([
    ['what is old', [], [true, false, true, true, false, false]],
    ['no message that is pinned', [0, 2], [false, false, false, true, false, false]],
  ])("shortens %s, and not the user's latest", async (_what, pin, expected) => {
    const { view } = await callToFit(messages, { pin });
    const forms = await shortestForms(view, {}, 200)(0, messages.length);
    expect(forms.map((form, index) => form !== messages[index])).toEqual(expected);
    for (const form of forms.filter((each) => !messages.includes(each)))
      expect(JSON.stringify(form).length).toBeLessThan(500);
  });

  it('reads a result by its call, whatever the ranges', async () => {
    const { view } = await callToFit(messages);
    const whole = await shortestForms(view, {}, 200)(0, messages.length);
    expect(JSON.stringify(whole[2])).toContain('src/a.ts');
    const shorten = shortestForms(view, {}, 200);
    for (const [first, end] of [
      [4, 6],
      [3, 4],
      [2, 3],
      [1, 2],
      [2, 4],
      [0, 1],
    ] as const)
      expect(await shorten(first, end)).toEqual(whole.slice(first, end));
  });

  it('reads a group once, and again where more of it is asked for', async () => {
    const { view } = await callToFit(messages);
    const whole = await shortestForms(view, {}, 200)(0, messages.length);
    const shorten = shortestForms(view, {}, 200);
    expect(await shorten(2, 3)).toEqual(whole.slice(2, 3));
    const forms = await shorten(2, 4);
    expect(forms).toEqual(whole.slice(2, 4));
    expect((await shorten(2, 4))[0]).toBe(forms[0]);
    expect((await shorten(2, 3))[0]).toBe(forms[0]);
  });
});
