import { wrapLanguageModel } from 'ai';
import { describe, expect, it } from 'vitest';
import { countPromptTokens, summarizationMiddleware, type Message } from '../../src/index.ts';
import { chatModel, summarizerModel } from '../support/models.ts';
import { assistant, call, user } from '../support/prompt-messages.ts';
import { untyped } from '../support/untyped.ts';

const inOutput = (output: object): Message => {
  const part = { type: 'tool-result', toolCallId: 'a', toolName: 'scan', output };
  return untyped({ role: 'tool', content: [part] });
};

/** Messages with something of a type that only a newer SDK knows, by where it stands. */
const places: readonly (readonly [string, (part: object) => Message])[] = [
  ['part of a question', (part) => untyped({ role: 'user', content: [part] })],
  ['part of an answer', (part) => untyped({ role: 'assistant', content: [part] })],
  ['part of an output', (part) => inOutput({ type: 'content', value: [part] })],
  ['output', inOutput],
];

describe.each(places)('a %s that no SDK of today has', (place, messageWith) => {
  const hologram = (more: object): Message => messageWith({ type: 'hologram', ...more });

  it('is counted as far as it is text', async () => {
    const count = async (more: object): Promise<number> =>
      (await countPromptTokens({ messages: [hologram(more)] })).total;
    const text = 'a ship '.repeat(100);
    const more = place === 'output' ? { value: text } : { text, data: 'AQID'.repeat(99) };
    const difference = (await count(more)) - (await count({}));
    expect(difference).toBeGreaterThan(190);
    expect(difference).toBeLessThan(210);
  });

  it.each(['llm', 'rule-based'] as const)('is no obstacle to a summary: %s', async (strategy) => {
    const events: string[] = [];
    const summarizer = summarizerModel();
    const inner = chatModel();
    const middleware = summarizationMiddleware({
      contextLength: 4000,
      strategy,
      summarizerModelPreference: [summarizer],
      onEvent: ({ type }) => events.push(type),
    });
    const talk = Array.from({ length: 60 }, (_, index) =>
      (index % 2 === 0 ? user : assistant)(`Message ${index}: ${'word '.repeat(60)}`),
    );
    const message = hologram({ text: 'a ship', depth: 1 });
    const asked = message.role === 'tool' ? [assistant('', call('a'))] : [];
    const prompt = [...talk.slice(0, 2), ...asked, message, ...talk.slice(2)];
    await wrapLanguageModel({ model: inner, middleware }).doGenerate({ prompt });
    expect(inner.doGenerateCalls[0]?.prompt.length).toBeLessThan(talk.length);
    expect(events).not.toContain('failed');
    const read = JSON.stringify(summarizer.doGenerateCalls.map((each) => each.prompt));
    expect(read).toMatch(strategy === 'llm' ? /hologram/ : /^\[\]$/);
  });
});
