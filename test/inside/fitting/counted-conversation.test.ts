import { describe, expect, it } from 'vitest';
import { composePrompt } from '../../../src/composing/compose-prompt.ts';
import { countConversation } from '../../../src/fitting/counted-conversation.ts';
import { trimRecord } from '../../../src/fitting/trim-record.ts';
import { timeSlices } from '../../../src/util/async/time-slices.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';
import { callToFit } from './call-to-fit.ts';

const systems = [system('You are kind.')];
const messages = Array.from({ length: 8 }, (_, index) =>
  index % 2 === 0
    ? user(`Question ${index}?`)
    : assistant(`Answer number ${index}. `.repeat(index)),
);
const prompt = [...systems, ...messages];

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}

describe('countConversation', () => {
  it('counts all of a conversation for which no record stands', async () => {
    const given = await callToFit(prompt);
    const { unscaled } = given.measure;
    const counted = await countConversation(given);
    const tokens = messages.map(unscaled.message);
    expect(counted).toMatchObject({ messages, tokens, start: 0, history: sum(tokens) });
    expect(counted.fixed).toBe(unscaled.prompt(prompt) - sum(tokens));
    expect(counted.boundaries).toEqual(given.view.groups.boundaries);
    expect(counted.cuts.length).toBeGreaterThan(2);
  });

  it('counts what stands behind a record', async () => {
    const given = await callToFit(prompt, { pin: [3] });
    const { view, style, measure } = given;
    const record = await trimRecord({ view, composition: undefined, keyOf: given.keyOf }, 4, true);
    const composition = await composePrompt(view, style, { record, cut: 4 }, timeSlices());
    const counted = await countConversation({ ...given, composition });
    const tokens = messages.map((message, index) =>
      index < 4 ? 0 : measure.unscaled.message(message),
    );
    const kept = counted
      .kept(4)
      .map((index) => measure.unscaled.message(messages[index] ?? user('')));
    expect(kept.length).toBeGreaterThan(0);
    expect(counted).toMatchObject({ tokens, start: 4, history: sum(tokens) });
    expect(counted.keptTokens(4)).toBe(sum(kept));
    expect(counted.keptTokens(4)).toBe(sum(kept));
    expect(counted.keptTokens(0)).toBe(0);
    expect(counted.fixed).toBe(
      measure.unscaled.prompt(composition.prompt) - sum(tokens) - sum(kept),
    );
    expect(counted.cuts.every((cut) => cut > 4)).toBe(true);
  });

  it('counts other messages as it does its own', async () => {
    const given = await callToFit(prompt);
    const { count } = await countConversation(given);
    const other = user('Another question?');
    expect(await count(other)).toBe(given.measure.unscaled.message(other));
  });

  it('ends with the reason of a signal', async () => {
    const reason = new Error('enough');
    const given = await callToFit(prompt);
    const counting = countConversation({ ...given, abortSignal: AbortSignal.abort(reason) });
    await expect(counting).rejects.toBe(reason);
  });
});
