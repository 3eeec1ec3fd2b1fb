import { describe, expect, it } from 'vitest';
import { injectSummary, type Injection } from '../../../src/composing/place-summary.ts';
import type { Message } from '../../../src/index.ts';
import { assistant, system, user } from '../../support/prompt-messages.ts';

const first = system('one');
const second = {
  ...system('two'),
  providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
};
const anchor = user('anchor');
const answer = assistant('answer');
const question = user('question');
const injection: Injection = {
  text: 'SUMMARY',
  placement: 'system',
  systems: [first, second],
  summarised: [],
  kept: [anchor],
  recent: [answer, question],
};

describe('injectSummary', () => {
  it("puts a system message of its own behind the others for 'system'", () => {
    const prompt = injectSummary(injection);
    expect(prompt).toEqual([
      first,
      second,
      { role: 'system', content: 'SUMMARY' },
      anchor,
      answer,
      question,
    ]);
    const given: readonly Message[] = [first, second, anchor, answer, question];
    expect(prompt.filter((message) => given.includes(message))).toHaveLength(given.length);
  });

  it("appends to the last system message for 'system-merged' and keeps its options", () => {
    const prompt = injectSummary({ ...injection, placement: 'system-merged' });
    expect(prompt).toEqual([
      first,
      { ...second, content: 'two\n\nSUMMARY' },
      anchor,
      answer,
      question,
    ]);
    expect(second.content).toBe('two');
  });

  it("makes a system message for 'system-merged' when there is none", () => {
    const prompt = injectSummary({ ...injection, placement: 'system-merged', systems: [] });
    expect(prompt).toEqual([{ role: 'system', content: 'SUMMARY' }, anchor, answer, question]);
  });

  it("leaves a system message that only carries settings alone for 'system-merged'", () => {
    const settings = {
      ...system(''),
      providerOptions: { openai: { reasoningEffortUpdate: 'high' } },
    };
    const given = { ...injection, placement: 'system-merged' as const };
    expect(injectSummary({ ...given, systems: [first, settings] })).toEqual([
      { ...first, content: 'one\n\nSUMMARY' },
      settings,
      anchor,
      answer,
      question,
    ]);
    expect(injectSummary({ ...given, systems: [settings] })).toEqual([
      settings,
      { role: 'system', content: 'SUMMARY' },
      anchor,
      answer,
      question,
    ]);
  });

  it("makes it the first part of the first user message for 'user'", () => {
    const prompt = injectSummary({ ...injection, placement: 'user' });
    expect(prompt).toEqual([
      first,
      second,
      {
        role: 'user',
        content: [
          { type: 'text', text: 'SUMMARY' },
          { type: 'text', text: 'anchor' },
        ],
      },
      answer,
      question,
    ]);
    expect(prompt.at(-1)).toBe(question);
  });

  it("folds into a user message among the recent ones when nothing is kept for 'user'", () => {
    const prompt = injectSummary({ ...injection, placement: 'user', kept: [], recent: [question] });
    expect(prompt.at(-1)?.content).toHaveLength(2);
  });

  it.each(['system', 'system-merged', 'user'] as const)(
    'becomes the first user message when there is none, whatever the placement (%s)',
    (placement) => {
      const prompt = injectSummary({ ...injection, placement, kept: [], recent: [answer] });
      expect(prompt).toEqual([
        first,
        second,
        { role: 'user', content: [{ type: 'text', text: 'SUMMARY' }] },
        answer,
      ]);
    },
  );

  const breakpoint = { anthropic: { cacheControl: { type: 'ephemeral' } } };
  const marked = { ...user('covered'), providerOptions: breakpoint };

  it('inherits the cache breakpoint of what it stands for', () => {
    const prompt = injectSummary({ ...injection, systems: [first], summarised: [marked] });
    expect(prompt[1]).toEqual({ role: 'system', content: 'SUMMARY', providerOptions: breakpoint });
  });

  it('inherits none when the others carry four', () => {
    const recent = [marked, marked, marked, marked];
    const prompt = injectSummary({ ...injection, systems: [first], summarised: [marked], recent });
    expect(prompt[1]).toEqual({ role: 'system', content: 'SUMMARY' });
  });
});
