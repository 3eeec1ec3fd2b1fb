import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  countPromptTokens,
  type SummarizationEvent,
  type SummarizationOptions,
} from '../../src/index.ts';
import { assistant, chat, toolStep, user, words } from '../support/messages.ts';
import { lastPrompt, shapeOf, summarySections, summaryOf, textOf } from '../support/prompts.ts';
import { called, setUp } from '../support/set-up.ts';

describe('summarizationMiddleware', () => {
  it('summarizes a long chat once and keeps the tail message by message', async () => {
    const { inner, summarizer, events, model } = setUp();
    const messages = chat(19);
    await generateText({ model, instructions: 'You are kind.', messages });

    const prompt = lastPrompt(inner);
    expect(shapeOf(prompt)).toMatch(/^sSu/);
    expect(textOf(prompt[0])).toBe('You are kind.');
    expect(summaryOf(prompt)).toMatch(/^\[summary-depth:0\] /);
    expect(summarySections(prompt)['summary']).toBe('They spoke of rivers.');
    expect(prompt.slice(-6).map(textOf)).toEqual(messages.slice(-6).map(({ content }) => content));
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    const told = events.map(({ type }) => type).join(' ');
    expect(told).toBe('check waiting start end waiting applied');
  });

  it('lands at or below the reset ratio', async () => {
    const { inner } = await called(chat(30));
    const { total } = await countPromptTokens({ messages: lastPrompt(inner), model: inner });
    expect(total).toBeLessThanOrEqual(700);
  });

  it('keeps the exact text of the user beside the summary when asked', async () => {
    const messages = chat(61);
    const { inner } = await called(messages, { preserveUserTurns: true, contextLength: 3000 });
    const texts = summarySections(lastPrompt(inner))['userMessages'];
    const users = messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    const kept = lastPrompt(inner).map(textOf);
    const before = users.slice(0, users.indexOf(kept[1] ?? ''));
    expect(texts).toEqual(before.slice(-4).map((text) => JSON.stringify(text)));
  });

  it('keeps pinned messages with their turn', async () => {
    const { inner, model } = setUp({ pin: (message) => textOf(message).includes('Answer 3') });
    const messages = chat(19);
    await generateText({ model, messages, providerOptions: { summarization: { pin: [6] } } });
    const texts = lastPrompt(inner).map(textOf);
    for (const index of [2, 3, 6, 7]) expect(texts).toContain(messages[index]?.content);
    expect(shapeOf(lastPrompt(inner))).toMatch(/^S(ua)+u$/);
  });

  it('keeps instructions that a tool loaded, pinned by its name', async () => {
    const loaded = [user('Mind the skill.'), ...toolStep('s', 'Never force-push.', 'load_skill')];
    const { inner } = await called([...loaded, assistant('I do.'), ...chat(19)], {
      pin: ({ role, content }) =>
        role === 'tool' &&
        content.some((part) => 'toolName' in part && part.toolName === 'load_skill'),
    });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    const result = lastPrompt(inner).find(({ role }) => role === 'tool');
    expect(JSON.stringify(result)).toContain('Never force-push.');
  });
});

const talk = Array.from({ length: 201 }, (_, index) =>
  index % 2 === 0 ? user(words(index, 40)) : assistant(words(index, 40)),
);

/** The summaries of a conversation that grows call by call. */
async function summariesOf(options: SummarizationOptions) {
  const { model, events } = setUp({ strategy: 'rule-based', ...options });
  const ends: (Extract<SummarizationEvent, { type: 'end' }> & { readonly kept: number })[] = [];
  for (let count = 1; count <= talk.length; count += 8) {
    events.length = 0;
    await generateText({ model, messages: talk.slice(0, count) });
    for (const event of events)
      if (event.type === 'end') ends.push({ ...event, kept: count - event.coveredMessages });
  }
  return ends;
}

it.each<[string, SummarizationOptions]>([
  ['tokenThreshold', { tokenThreshold: 4000 }],
  ['triggerTokenRatio', { triggerTokenRatio: 0.01 }],
])('a %s far from the limit costs no more than a context of that size', async (_name, trigger) => {
  const small = await summariesOf({ contextLength: 5000 });
  expect(small.length).toBeGreaterThan(1);
  const low = await summariesOf({ contextLength: 400_000, ...trigger });
  expect(low.length).toBeLessThanOrEqual(small.length + 1);
  for (const { kept, tokensAfter } of low) {
    expect(kept).toBeGreaterThanOrEqual(6);
    expect(tokensAfter).toBeLessThan(2000);
  }
});
