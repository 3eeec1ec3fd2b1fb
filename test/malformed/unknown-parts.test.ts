import { describe, expect, it } from 'vitest';
import { countPromptTokens, type Message } from '../../src/index.ts';
import { assistant, call } from '../support/prompt-messages.ts';
import { setUp } from '../support/set-up.ts';
import { talk } from '../support/summarized-chat.ts';
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
    const { inner, summarizer, events, model } = setUp({ contextLength: 6000, strategy });
    const talked = talk(61);
    const message = hologram({ text: 'a ship', depth: 1 });
    const asked = message.role === 'tool' ? [assistant('', call('a'))] : [];
    await model.doGenerate({ prompt: talked.toSpliced(2, 0, ...asked, message) });
    expect(inner.doGenerateCalls[0]?.prompt.length).toBeLessThan(talked.length);
    expect(events.map(({ type }) => type)).not.toContain('failed');
    const read = JSON.stringify(summarizer.doGenerateCalls.map((each) => each.prompt));
    expect(read).toMatch(strategy === 'llm' ? /hologram/ : /^\[\]$/);
  });
});
