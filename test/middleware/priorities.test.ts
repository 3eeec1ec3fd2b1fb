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

/** Puts the messages that say so below all others. */
const lowered =
  (text: string): Priority =>
  (message) =>
    JSON.stringify(message).includes(text) ? -10 : Number.NaN;

/** What a prompt says of the cranes, hooks or halls that are numbered. */
const numbered = (prompt: string): readonly string[] =>
  [...prompt.matchAll(/(?:Crane|hook) \d+ /g)].map(([name]) => name);

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

  it('quotes last what matters less: where there is room for all, it is there too', async () => {
    const cranes = Array.from({ length: 60 }, (_, index) =>
      index % 2 === 0
        ? user(`Question ${index}: ${words(index, 30)}?`)
        : assistant(`Crane ${index} stands in hall ${index * 7}.`),
    );
    const few = { ...options, contextLength: 1300 };
    const quoted = async (given: SummarizationOptions): Promise<readonly string[]> => {
      const [record = ''] = (await sent(cranes, given)).split('[/summary-depth');
      return numbered(record);
    };
    const usual = await quoted(few);
    const last = usual.at(-1) ?? '';
    const others = await quoted({ ...few, priority: lowered(last) });
    expect(others).not.toContain(last);
    // What matters more takes its room.
    expect(others).toHaveLength(usual.length);
    const roomy = {
      ...options,
      contextLength: 40_000,
      tokenThreshold: 1000,
      preserveRecent: 2,
      maxSummaryTokens: 4000,
    };
    const all = await quoted(roomy);
    expect(all.length).toBeGreaterThan(20);
    expect(await quoted({ ...roomy, priority: lowered(last) })).toEqual(all);
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

  it('gives outputs back last that matter less', async () => {
    const hooks = Array.from({ length: 12 }, (_, index) =>
      toolStep(
        `call_${index}`,
        `${words(index, 200)} The hook ${index} is green. ${words(index, 200)}`,
      ),
    ).flat();
    const messages = [user('Find the crane.'), ...hooks];
    const usual = numbered(await sent(messages, options));
    // Of those that are given back; the newest are never shortened.
    const [given = ''] = usual;
    const others = numbered(await sent(messages, { ...options, priority: lowered(given) }));
    expect(others).not.toContain(given);
    expect(others.some((hook) => !usual.includes(hook))).toBe(true);
  });

  it('repeats last what the user said in messages left out that matter less', async () => {
    const said = Array.from({ length: 240 }, (_, index) =>
      index % 2 === 0
        ? user(`Mind hook ${index} : ${words(index, 15)}`)
        : assistant(words(index, 900)),
    );
    const chat = [...said, user('And now?')];
    const usual = numbered(await sent(chat, options));
    const repeated = usual[Math.floor(usual.length / 2)] ?? '';
    const others = numbered(await sent(chat, { ...options, priority: lowered(repeated) }));
    expect(others).not.toContain(repeated);
    expect(others.some((hook) => !usual.includes(hook))).toBe(true);
  });

  it('repeats first what the user said in messages left out that matter more', async () => {
    const said = Array.from({ length: 240 }, (_, index) =>
      index % 2 === 0
        ? user(index === 10 ? `Mind ${needle}.` : `${index}: ${words(index, 15)}`)
        : assistant(words(index, 250)),
    );
    const chat = [...said, user('And now?')];
    expect(await sent(chat, options)).not.toContain(needle);
    expect(await sent(chat, { ...options, priority: raised })).toContain(needle);
  });
});
