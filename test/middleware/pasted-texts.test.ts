import { generateText } from 'ai';
import { expect, it } from 'vitest';
import { memoryStore } from '../../src/index.ts';
import { assistant, chat, user, words } from '../support/messages.ts';
import { answer, summarizerModel } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';

const rule = 'Anna allows no weekly meetings.';
const end = 'The end was a handshake.';
const talk = Array.from({ length: 18 }, (_, index) => `She said ${words(index, 6)}.`).join(' ');

it.each([
  { tokens: 2000, stays: 'all', leastRatio: 0 },
  { tokens: 3620, stays: 'some', leastRatio: 0.9 },
  { tokens: 3850, stays: 'nothing', leastRatio: 0.9 },
])(
  'a text of $tokens tokens behind a summary leaves $stays of it in the prompt',
  async ({ tokens, stays, leastRatio }) => {
    const options = { contextLength: 4000, maxSummaryTokens: 1500, store: memoryStore() };
    const summarizer = summarizerModel(answer({ summary: `${rule} ${talk} ${end}` }));
    const history = chat(25, 150);
    await generateText({ model: setUp(options, { summarizer }).model, messages: [...history] });
    const made = setUp({ ...options, strategy: 'none' });
    const pasted = words(3, tokens);
    const messages = [...history, assistant('I see.'), user(pasted)];
    await generateText({ model: made.model, messages });
    const prompt = lastPrompt(made.inner);
    expect(JSON.stringify(prompt)).toContain(pasted);
    const said = summaryOf(prompt) ?? '';
    expect(said.includes(rule)).toBe(stays !== 'nothing');
    expect(said.includes(end)).toBe(stays === 'all');
    const applied = made.events.findLast((event) => event.type === 'applied');
    expect(applied?.ratio).toBeGreaterThan(leastRatio);
  },
);
