import { generateText, type ModelMessage } from 'ai';
import { describe, expect, it } from 'vitest';
import type { Priority, SummarizationOptions } from '../../src/index.ts';
import { assistant, toolStep, user, words } from '../support/messages.ts';
import { lastPrompt, textOf } from '../support/prompts.ts';
import { setUp } from '../support/set-up.ts';
import { untyped } from '../support/untyped.ts';

const needle = 'the crane in hall seven';

/** A chat in which one early answer matters more than it seems. */
function chatWithNeedle(): ModelMessage[] {
  return Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? user(`Question ${index}: ${words(index, 30)}?`)
      : assistant(index === 21 ? `It is ${needle}, ${words(index, 30)}.` : `${words(index, 40)}.`),
  );
}

const raised: Priority = (message) => (JSON.stringify(message).includes(needle) ? 10 : Number.NaN);

async function sent(messages: ModelMessage[], options: SummarizationOptions): Promise<string> {
  const { model, inner, events } = setUp(options);
  await generateText({ model, messages });
  expect(events.filter(({ type }) => type === 'failed')).toEqual([]);
  return lastPrompt(inner).map(textOf).join('\n');
}

describe('priority in a record of the rules', () => {
  const options = { strategy: 'rule-based', contextLength: 2000 } as const;

  it('quotes first what matters more than others of its kind', async () => {
    expect(await sent(chatWithNeedle(), options)).not.toContain(needle);
    expect(await sent(chatWithNeedle(), { ...options, priority: raised })).toContain(needle);
  });

  it('quotes last what matters less', async () => {
    const lowered: Priority = (message) => (raised(message) === 10 ? -1 : Number.NaN);
    const wide = { ...options, contextLength: 4000, maxSummaryTokens: 400, tokenThreshold: 500 };
    const chat = chatWithNeedle().slice(20);
    expect(await sent(chat, wide)).toContain(needle);
    expect(await sent(chat, { ...wide, priority: lowered })).not.toContain(needle);
  });

  it.each([
    ['throws', () => expect.fail('no')],
    ['returns no number', () => untyped<number>('high')],
  ])('changes nothing where it %s', async (_, priority) => {
    const usual = await sent(chatWithNeedle(), options);
    expect(await sent(chatWithNeedle(), { ...options, priority })).toBe(usual);
  });
});

describe('priority in a prompt that is made to fit', () => {
  const options = { strategy: 'none', contextLength: 4000, preserveRecent: 2 } as const;
  const middle = 'The hook is green.';
  const marked = `${needle} ${words(3, 200)} ${middle} ${words(4, 200)}`;
  const steps = Array.from({ length: 12 }, (_, index) =>
    toolStep(`call_${index}`, index === 3 ? marked : words(index, 400)),
  ).flat();
  const agent = [user('Find the crane.'), ...steps];

  it('gives outputs back first that matter more', async () => {
    expect(await sent(agent, options)).not.toContain(middle);
    expect(await sent(agent, { ...options, priority: raised })).toContain(middle);
  });

  it('repeats first what the user said in messages left out that matter more', async () => {
    const said = Array.from({ length: 240 }, (_, index) =>
      index % 2 === 0
        ? user(index === 10 ? `Mind ${needle}.` : `${index}: ${words(index, 15)}`)
        : assistant(words(index, 60)),
    );
    const chat = [...said, user('And now?')];
    expect(await sent(chat, options)).not.toContain(needle);
    expect(await sent(chat, { ...options, priority: raised })).toContain(needle);
  });
});
