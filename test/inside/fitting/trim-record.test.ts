import { describe, expect, it } from 'vitest';
import { composePrompt, type Composition } from '../../../src/composing/compose-prompt.ts';
import { omittedSummary } from '../../../src/composing/render-summary.ts';
import { trimmedPart, trimRecord, type TrimTask } from '../../../src/fitting/trim-record.ts';
import type { Message } from '../../../src/index.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { timeSlices } from '../../../src/util/async/time-slices.ts';
import { assistant, user } from '../../support/prompt-messages.ts';
import { callToFit, conversationOf } from './call-to-fit.ts';

/** Texts of ten characters each, from the user and in turn from the model. */
const said = (index: number): string => `message ${index}`.padEnd(10, '!');
const messages = Array.from({ length: 9 }, (_, index) =>
  index % 2 === 0 ? user(said(index)) : assistant(said(index)),
);

async function task(more: Partial<TrimTask> = {}): Promise<TrimTask> {
  const { view, keyOf } = await callToFit(messages);
  const conversation = conversationOf(messages);
  return { view, keyOf, composition: undefined, conversation, leastCharacters: 200, ...more };
}

/** A record that stands for the first messages. */
async function applied(cut: number): Promise<Composition> {
  const { view, style } = await callToFit(messages);
  const record = buildRecord(
    {
      key: 'f'.repeat(64),
      depth: 3,
      coveredMessages: cut,
      prefixDigest: await view.identity.prefixDigest(cut),
      strategy: 'llm',
      degraded: false,
      inputTokens: 100,
    },
    { ...emptyContent('They spoke of rivers.'), keyPoints: ['The Elbe is long.'] },
    50,
  );
  return composePrompt(view, style, { record, cut }, timeSlices());
}

describe('trimRecord', () => {
  it('names what is left out, and says so', async () => {
    const given = await task();
    const record = await trimRecord(given, 4, true);
    expect(record).toMatchObject({
      id: '0000000000000004',
      depth: 0,
      strategy: 'trim',
      degraded: true,
      keyPoints: [],
      coveredMessages: 4,
      prefixDigest: await given.view.identity.prefixDigest(4),
    });
    expect(record.parentId).toBeUndefined();
    expect(record.summary).toBe(omittedSummary);
  });

  it('goes on from the record before it, with what it says or without', async () => {
    const given = await task({ composition: await applied(4) });
    const frame = {
      depth: 3,
      parentId: 'f'.repeat(16),
      coveredMessages: 6,
    };
    expect(await trimRecord(given, 6, true)).toMatchObject({
      ...frame,
      summary: 'They spoke of rivers.',
      keyPoints: [expect.stringMatching(/^2 messages after/), 'The Elbe is long.'],
    });
    const bare = await trimRecord(given, 6, false);
    expect(bare).toMatchObject({ ...frame, keyPoints: [], summary: omittedSummary });
  });
});

describe('trimmedPart', () => {
  it('is what stands there already where nothing is left out', async () => {
    const composition = await applied(4);
    const conversation = conversationOf(messages, { start: 4 });
    expect(await trimmedPart(await task({ composition, conversation }), 4, 100)).toBe(composition);
    expect(await trimmedPart(await task(), 0, 100)).toBeUndefined();
  });

  it.each<[string, number, readonly number[]]>([
    ['nothing where the first text does not fit', 9, []],
    ['the first text before all others', 10, [0]],
    ['the first text alone where no other fits', 19, [0]],
    ['then the newest', 29, [0, 4]],
    ['and those before it', 30, [0, 2, 4]],
  ])('repeats of what the user said %s', async (_what, room, expected) => {
    const part = await trimmedPart(await task(), 6, room);
    expect(part?.userTexts).toEqual(expected.map(said));
    expect(part).toMatchObject({ cut: 6, instead: { of: undefined } });
    expect(part?.record.coveredMessages).toBe(6);
  });

  it('repeats nothing of what is sent anyway, nor of what a record stands for', async () => {
    const composition = await applied(2);
    const conversation = conversationOf(messages, { start: 2, kept: () => [4] });
    const part = await trimmedPart(await task({ composition, conversation }), 7, 100);
    expect(part?.userTexts).toEqual([said(2), said(6)]);
    expect(part?.instead).toEqual({ of: composition });
    expect(part?.record).toMatchObject({
      summary: 'They spoke of rivers.',
      keyPoints: [expect.stringMatching(/^5 messages after/), 'The Elbe is long.'],
    });
  });

  it('takes for the first text what the user said, whatever stands before it', async () => {
    const others = [assistant('a long answer '.repeat(10)), ...messages];
    const { view } = await callToFit(others);
    const conversation = conversationOf(others);
    const part = await trimmedPart(await task({ view, conversation }), 4, 20);
    expect(part?.userTexts).toEqual([said(0), said(2)]);
  });

  it('repeats of a message with a file its texts alone', async () => {
    const withFile: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'See ' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
        { type: 'text', text: 'this.' },
      ],
    };
    const others = [withFile, ...messages];
    const { view } = await callToFit(others);
    const conversation = conversationOf(others);
    const part = await trimmedPart(await task({ view, conversation }), 1, 100);
    expect(part?.userTexts).toEqual(['See this.']);
  });

  it('waits for its turn once in 32 messages', async () => {
    const others = Array.from({ length: 80 }, (_, index) => user(said(index)));
    const { view } = await callToFit(others);
    let turns = 0;
    const pause = async (): Promise<void> => {
      turns += 1;
    };
    await trimmedPart(await task({ view, conversation: conversationOf(others, { pause }) }), 70, 9);
    expect(turns).toBe(3);
    const reason = new Error('aborted');
    const aborted = conversationOf(others, { pause: () => Promise.reject(reason) });
    const rejected = trimmedPart(await task({ view, conversation: aborted }), 70, 9);
    await expect(rejected).rejects.toBe(reason);
  });

  it('shortens long texts, and leaves out empty ones', async () => {
    const long = 'a word '.repeat(100);
    const others = [user(long), user(' '), user('a word'), ...messages];
    const { view } = await callToFit(others);
    const conversation = conversationOf(others);
    const part = await trimmedPart(await task({ view, conversation }), 3, 1000);
    expect(part?.userTexts).toEqual([expect.stringMatching(/^a word a word/), 'a word']);
    expect(part?.userTexts?.[0]?.length).toBeLessThanOrEqual(200);
  });

  it('repeats nothing where the user said nothing', async () => {
    const others = [assistant('a'), assistant('b'), ...messages];
    const { view } = await callToFit(others);
    const part = await trimmedPart(
      await task({ view, conversation: conversationOf(others) }),
      2,
      90,
    );
    expect(part?.userTexts).toEqual([]);
  });
});
