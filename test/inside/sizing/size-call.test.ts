import { describe, expect, it } from 'vitest';
import { callCounter, countedPrompt, measureWith } from '../../../src/sizing/token-measure.ts';
import type { Message } from '../../../src/index.ts';
import { scanPrompt } from '../../../src/tokens/scan-prompt.ts';
import { runAtOnce } from '../../../src/util/async/run-steps.ts';
import { system, user } from '../../support/prompt-messages.ts';
import { calibrationOf, intervalsOf, model, prompt, rates, reported } from './sized-call.ts';

describe('sizeCall', () => {
  const scan = runAtOnce(scanPrompt({ prompt }, 'openai'));

  it('begins with a bound by the bytes', async () => {
    const [first] = await intervalsOf();
    expect(first).toEqual({
      least: 0,
      most: scan.bound * 1.5 + 16,
      tokens: scan.estimate * 1.5,
      fixedTokens: 0,
      measuredBy: 'bound',
      tokenizer: 'unused',
    });
  });

  it('never estimates more than the bound', async () => {
    const [first] = await intervalsOf({ scan: { ...scan, bound: 10 } });
    expect(first?.tokens).toBe(15);
  });

  it.each([
    [50_000, 500],
    [102_400, 1024],
    [200_000, 1024],
  ])('adds to a reported size what is new, and of a limit of %i %i', async (limit, reserve) => {
    const [, second] = await intervalsOf({ reported, limit });
    expect(second).toEqual({
      least: 2000,
      most: 2010 + 80 * 1.5 + 4 + reserve,
      tokens: 2017,
      fixedTokens: 0,
      measuredBy: 'usage',
      tokenizer: 'unused',
    });
  });
});

describe('the sizes after the bounds', () => {
  it('end with the count of all', async () => {
    const last = (await intervalsOf()).at(-1);
    const counter = await callCounter({}, model);
    const measure = measureWith(counter, rates);
    const tokens = measure.prompt(prompt);
    expect(last).toMatchObject({
      least: tokens,
      most: tokens,
      tokens,
      fixedTokens: measure.prompt(prompt.slice(0, 1)),
      measuredBy: 'count',
      tokenizer: 'exact',
      counted: countedPrompt(counter, prompt),
    });
    expect(last?.measure?.prompt(prompt)).toBe(tokens);
  });

  it('know of messages that were counted before, and bound the others by their bytes', async () => {
    const fresh: Message[] = [system('You are strict.'), user('A text nobody has counted: 1.')];
    const counter = await callCounter({}, model);
    const known = counter.overhead + counter.total(fresh.slice(0, 1));
    const intervals = await intervalsOf({}, fresh);
    const first = intervals.find(({ measuredBy }) => measuredBy === 'count');
    // The frame of a message, and the 29 bytes of its text.
    const bytes = 29 + 4;
    expect(first).toMatchObject({
      least: known * 1.25,
      most: (known + bytes) * 1.5 + 8,
      tokens: (known + bytes / 4) * 1.5 + 8,
      fixedTokens: 0,
      counted: undefined,
    });
    const again = (await intervalsOf({}, fresh)).find(({ measuredBy }) => measuredBy === 'count');
    const all = countedPrompt(counter, fresh);
    expect(again).toMatchObject({ least: all * 1.25, most: all * 1.5 + 8, counted: all });
  });

  it('are decided anew after each 16 KiB that were counted', async () => {
    const long = Array.from({ length: 9 }, (_, index) =>
      user(`Counted ${index} alone. `.padEnd(8188, 'ab cd ')),
    );
    const intervals = await intervalsOf({}, long);
    const counted = intervals.filter(({ measuredBy }) => measuredBy === 'count');
    // At the beginning, after every second message, and at the end.
    expect(counted).toHaveLength(1 + 4 + 1);
    for (const [index, { least, most }] of counted.entries()) {
      const before = counted[index - 1];
      if (before === undefined) continue;
      expect(least).toBeGreaterThan(before.least);
      expect(most).toBeLessThan(before.most);
    }
  });

  it('add to a reported size the count of what is new', async () => {
    const counter = await callCounter({}, model);
    const measure = measureWith(counter, rates);
    const rest = measure.messages(prompt.slice(3));
    const [, , counted, last, none] = await intervalsOf({ reported });
    expect(counted).toEqual({
      least: 2010 + rest * 1.3 + 500,
      most: 2010 + rest * 1.3 + 500,
      tokens: 2010 + rest,
      fixedTokens: measure.prompt(prompt.slice(0, 1)),
      measuredBy: 'usage',
      tokenizer: 'exact',
    });
    const sent = prompt.slice(0, 2);
    const tokens = countedPrompt(counter, sent);
    const texts = tokens - runAtOnce(scanPrompt({ prompt: sent }, 'openai')).frames;
    expect(last?.observed).toEqual({ counted: tokens, texts, reported: 2000 });
    const multiplier = last?.measure?.multiplier ?? 0;
    const exact = measureWith(counter, { ...rates, multiplier }).messages(prompt.slice(3));
    expect(multiplier).not.toBe(1.5);
    expect(last).toMatchObject({ tokens: 2010 + exact, most: 2010 + exact * 1.15 + 500 });
    expect(none).toBeUndefined();
  });

  it('trust a factor that was given', async () => {
    const measure = measureWith(await callCounter({}, model), rates);
    const rest = measure.messages(prompt.slice(3));
    const [, , counted, last, none] = await intervalsOf({
      reported,
      calibration: calibrationOf(1.5),
    });
    const size = { most: 2010 + rest + 500, tokens: 2010 + rest, measuredBy: 'usage' };
    expect(counted).toMatchObject(size);
    expect(counted?.measure).toBeUndefined();
    expect(last).toMatchObject(size);
    expect(last?.measure?.multiplier).toBe(1.5);
    expect(last?.observed).toBeUndefined();
    expect(none).toBeUndefined();
  });

  it('bound a file by its own rule', async () => {
    const url = new URL('https://example.com/a.png');
    const image: Message = {
      role: 'user',
      content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url } }],
    };
    const sent = [user('See this picture, which nobody has counted.'), image];
    const { overhead } = await callCounter({}, model);
    const { sizes } = runAtOnce(scanPrompt({ prompt: sent }, 'openai'));
    const files = sizes[1]?.files ?? 0;
    expect(files).toBeGreaterThan(50);
    const intervals = await intervalsOf({}, sent);
    const first = intervals.find(({ measuredBy }) => measuredBy === 'count');
    expect(first?.most).toBe((overhead + 4 + 43 + 4 + files) * 1.5 + 8);
  });

  it.each<[string, Message[], readonly string[]]>([
    ['bounding', [user('Bounded no further.')], ['bound']],
    [
      'counting',
      [user('Counted no further, 1.'), user('Counted no further, 2.')],
      ['bound', 'count'],
    ],
  ])('end with the reason of a signal while %s', async (_what, sent, expected) => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const seen: string[] = [];
    const abortAt = ({ measuredBy }: { readonly measuredBy: string }): void => {
      seen.push(measuredBy);
      if (measuredBy === expected.at(-1)) controller.abort(reason);
    };
    const params = { prompt: sent, abortSignal: controller.signal };
    await expect(intervalsOf({ params }, sent, abortAt)).rejects.toBe(reason);
    expect(seen).toEqual(expected);
  });

  it('are none where a signal aborts before anything is counted', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const load = async (): Promise<typeof rates> => {
      controller.abort(reason);
      return rates;
    };
    const seen: string[] = [];
    const params = { prompt, abortSignal: controller.signal };
    const calibration = { ...calibrationOf(undefined), load };
    const sizing = intervalsOf({ params, calibration }, prompt, ({ measuredBy }) => {
      seen.push(measuredBy);
    });
    await expect(sizing).rejects.toBe(reason);
    expect(seen).toEqual(['bound']);
  });
});
