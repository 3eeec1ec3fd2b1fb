import { beforeAll, describe, expect, it } from 'vitest';
import type { SizeRates } from '../../../src/sizing/size-rates.ts';
import {
  callCounter,
  countedPrompt,
  measureWith,
  tokenMeasure,
  type CallCounter,
} from '../../../src/sizing/token-measure.ts';
import { user } from '../../support/prompt-messages.ts';

const model = { provider: 'openai.chat', modelId: 'gpt-5' };
const rates: SizeRates = { multiplier: 1.5, least: 1.25, hidden: 100 };
const one = user('The river runs through the market.');
const two = user('It does, and it has done so for a thousand years.');
let counter: CallCounter;
let sizes: readonly [number, number];

beforeAll(async () => {
  counter = await callCounter({}, model);
  sizes = [counter.count(one), counter.count(two)];
});

describe('callCounter', () => {
  it('adds up messages', () => {
    expect(sizes[0]).toBeGreaterThan(5);
    expect(sizes[1]).toBeGreaterThan(sizes[0]);
    expect(counter.total([])).toBe(0);
    expect(counter.total([one, two])).toBe(sizes[0] + sizes[1]);
    expect(countedPrompt(counter, [one, two])).toBe(counter.overhead + sizes[0] + sizes[1]);
  });

  it('ends with the reason of a signal', async () => {
    const reason = new Error('enough');
    const abortSignal = AbortSignal.abort(reason);
    await expect(counter.countAll([one], { abortSignal })).rejects.toBe(reason);
    await expect(callCounter({ abortSignal }, model)).rejects.toBe(reason);
  });

  it('counts the tools among the overhead', async () => {
    const tools = [
      { type: 'function' as const, name: 'read', inputSchema: { type: 'object' as const } },
    ];
    const withTools = await callCounter({ tools }, model);
    expect(withTools.overhead).toBeGreaterThan(counter.overhead);
    expect(withTools.isExact).toBe(true);
  });
});

describe('measureWith', () => {
  it('scales the counts by the rates of the model', () => {
    const measure = measureWith(counter, rates);
    const [first, second] = sizes;
    const counted = counter.overhead + first + second;
    expect(measure.multiplier).toBe(1.5);
    expect(measure.counted([one, two])).toBe(counted);
    expect(measure.message(one)).toBe(Math.ceil(first * 1.5) + 4);
    expect(measure.each([one, two])).toEqual([measure.message(one), measure.message(two)]);
    expect(measure.messages([one, two])).toBe(Math.ceil((first + second) * 1.5) + 8);
    expect(measure.prompt([one, two])).toBe(Math.ceil(counted * 1.25 + 100) + 8);
    expect(measure.leastPrompt([one, two])).toBe(Math.ceil(counted * 1.25));
    expect(measure.unscaled.message(one)).toBe(first + 4);
    expect(measure.unscaled.prompt([one, two])).toBe(counted + 8);
  });

  it('leaves the room that neither factor nor hidden tokens exceed', () => {
    const { room } = measureWith(counter, rates).unscaled;
    expect(room(225)).toBe(100);
    expect(room(3000)).toBe(2000);
  });

  it('counts nothing of which texts are only estimated', () => {
    const measure = measureWith({ ...counter, isExact: false }, rates);
    expect(measure.counted([one])).toBeUndefined();
    expect(measure.message(one)).toBe(Math.ceil(sizes[0] * 1.5) + 4);
  });

  it('is what a measure of its own comes to', async () => {
    const measure = await tokenMeasure({ prompt: [] }, model, rates);
    await measure.count([one]);
    expect(measure.message(one)).toBe(measureWith(counter, rates).message(one));
    expect(measure.prompt([one])).toBe(measureWith(counter, rates).prompt([one]));
  });
});
