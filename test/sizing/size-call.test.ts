import { describe, expect, it } from 'vitest';
import type { Message } from '../../src/prompt/prompt-types.ts';
import type { ModelCalibration } from '../../src/sizing/model-calibration.ts';
import { sizeCall, type SizedCall } from '../../src/sizing/size-call.ts';
import type { SizeInterval } from '../../src/sizing/size-interval.ts';
import type { SizeRates } from '../../src/sizing/size-rates.ts';
import { callCounter, countedPrompt, measureWith } from '../../src/sizing/token-measure.ts';
import type { UsageAnchor } from '../../src/sizing/usage-memory.ts';
import { scanPrompt } from '../../src/tokens/scan-prompt.ts';
import { textTokens } from '../../src/tokens/text-tokens.ts';
import { upperBoundTokens } from '../../src/tokens/upper-bound-tokens.ts';
import { assistant, system, user } from '../support/prompt-messages.ts';

const model = { provider: 'openai.chat', modelId: 'gpt-5' };
const rates: SizeRates = { multiplier: 1.5, least: 1, hidden: 0 };
const text = 'The river runs through the market. ';
const prompt: Message[] = [
  system('You are kind.'),
  user(text.repeat(200)),
  assistant('It does.'),
  user('Where does it come from?'),
];

function calibrationOf(given: number | undefined): ModelCalibration {
  return { given, start: 1.5, rates: () => rates, load: async () => rates, learn: () => {} };
}

async function intervalsOf(
  more: Partial<SizedCall> & { readonly reported?: UsageAnchor } = {},
  sent = prompt,
): Promise<SizeInterval[]> {
  const { reported, ...call } = more;
  const intervals: SizeInterval[] = [];
  for await (const interval of sizeCall({
    params: { prompt: sent },
    systems: sent.slice(0, 1),
    model,
    scan: scanPrompt({ prompt: sent }, 'openai'),
    calibration: calibrationOf(undefined),
    findReported: async () => reported,
    limit: 50_000,
    trigger: 1_000_000,
    ...call,
  }))
    intervals.push(interval);
  return intervals;
}

/** What was reported of the system message and the first text: 2000 tokens, and 10 of the answer. */
const reported: UsageAnchor = {
  tokens: 2010,
  inputTokens: 2000,
  sentMessages: 1,
  rest: 2,
  restBound: 80,
  restEstimate: 7,
};

describe('sizeCall', () => {
  const scan = scanPrompt({ prompt }, 'openai');

  it('begins with a bound, and goes on with the bytes', async () => {
    const [first, second] = await intervalsOf();
    expect(first).toEqual({
      least: 0,
      most: scan.bound * 1.5 + 16,
      tokens: scan.estimate * 1.5,
      fixedTokens: 0,
      measuredBy: 'bound',
      tokenizer: 'unused',
    });
    const bytes = upperBoundTokens({ prompt }, model);
    expect(second).toEqual({
      least: 0,
      most: bytes * 1.5 + 16,
      tokens: (bytes / 4) * 1.5,
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
    ['below the trigger', 1, ['bound', 'bound']],
    ['at the trigger', 0, ['bound', 'count']],
  ])('asks for the bytes where the characters are %s', async (_where, above, expected) => {
    const trigger = scan.characters * 1.5 + above;
    const intervals = await intervalsOf({ trigger });
    expect(intervals.slice(0, 2).map(({ measuredBy }) => measuredBy)).toEqual(expected);
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
    const [first] = fresh;
    if (first === undefined) throw new Error('no message');
    const known = counter.overhead + counter.count(first);
    const intervals = await intervalsOf({}, fresh);
    const counted = intervals.filter(({ measuredBy }) => measuredBy === 'count');
    // The frame of a message, and the 29 bytes of its text.
    const bytes = 29 + 4;
    expect(counted[0]).toMatchObject({
      least: known,
      most: (known + bytes) * 1.5 + 8,
      tokens: (known + bytes / 4) * 1.5 + 8,
      fixedTokens: 0,
      counted: undefined,
    });
    const again = (await intervalsOf({}, fresh)).filter(({ measuredBy }) => measuredBy === 'count');
    const all = countedPrompt(counter, fresh);
    expect(again[0]).toMatchObject({ least: all, most: all * 1.5 + 8, counted: all });
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

  it.each([
    ['no samples of less than 256 KiB', 262_143 - 4, 0],
    ['samples of 256 KiB', 262_144 - 4, 3],
  ])('take %s', async (_what, length, samples) => {
    const intervals = await intervalsOf({}, [user(`${length} `.padEnd(length, 'ab cd '))]);
    const sampled = intervals.filter(({ measuredBy }) => measuredBy === 'sample');
    const exact = intervals.at(-1)?.tokens ?? 0;
    expect(sampled).toHaveLength(samples);
    for (const { least, most, tokens } of sampled) {
      expect(least).toBeLessThan(exact);
      expect(most).toBeGreaterThan(exact);
      expect(Math.abs(tokens / exact - 1)).toBeLessThan(0.1);
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
    const texts = textTokens({ prompt: sent }, tokens, 'openai');
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
});
