import { describe, expect, it } from 'vitest';
import { composePrompt } from '../../../../src/planning/composing/compose-prompt.ts';
import { type CallToFit, fitPrompt } from '../../../../src/call/fitting/fit-prompt.ts';
import type { Message } from '../../../../src/index.ts';
import {
  callCounter,
  measureWith,
  type TokenMeasure,
} from '../../../../src/planning/sizing/token-measure.ts';
import { words } from '../../../support/messages.ts';
import { assistant, call, result, user } from '../../../support/prompt-messages.ts';
import type { Prompt } from '../../../support/prompt-types.ts';
import { testRecord, testView } from '../../planning/composing/test-record.ts';
import { testMeasure } from './test-measure.ts';

// What is refused, and what a summary says where little room is left, is held by test/middleware/long-conversations and
// what-a-summary-keeps; pins, priority and tool outputs by without-a-model. This is how much is kept.

const model = { provider: 'openai.responses', modelId: 'gpt-test' };

/** A call with a prompt that may be too long, of a model whose tokens are those of o200k. */
async function callToFit(
  prompt: Prompt,
  { pin = [], ...policy }: Partial<CallToFit['policy']> & { readonly pin?: number[] } = {},
): Promise<CallToFit> {
  return {
    prompt,
    composition: undefined,
    view: testView(prompt, model, { callOptions: { pin } }),
    style: { placement: 'system', userTextCharacters: 0 },
    measure: await testMeasure(),
    toolResults: {},
    options: {},
    state: { keyOf: async (count) => `${count}`.padStart(32, '0').padEnd(64, '0') },
    params: {},
    policy: { limit: 1000, contextLength: 1200, tokenMultiplierGiven: true, ...policy },
  };
}

/** Counts tokens of which each may come to no more than a share of one. */
const measureFrom = async (least: number): Promise<TokenMeasure> =>
  measureWith(await callCounter({}, model), { multiplier: 1, least, hidden: 0 });

/** Turns of about 50 tokens each. */
const turnsOf = (length: number): Message[] =>
  Array.from({ length }, (_, index) =>
    index % 2 === 0 ? user(words(index, 45)) : assistant(words(index, 45)),
  );
const turns = turnsOf(20);

/** Long texts of the user, outputs of tools, and turns behind them. */
const read = (id: string) => call(id, { input: { path: `${id}.ts` } });
const output = (id: string): Message => ({
  role: 'tool',
  content: [result(id, words(2, 400))],
});
const mixed: Message[] = [
  user(words(50, 400)),
  assistant('', read('1'), read('2')),
  output('1'),
  output('2'),
  assistant('Done.'),
  user(`Mind this: ${words(60, 60)}`),
  assistant(words(61, 30)),
  user(words(70, 300)),
  ...turnsOf(12).slice(1),
];

async function tokensOf(prompt: readonly Message[]): Promise<number> {
  const measure = await testMeasure();
  await measure.count(prompt);
  return measure.prompt(prompt);
}

describe('fitPrompt', () => {
  it('leaves a prompt alone that just fits', async () => {
    const limit = await tokensOf(turns);
    const fitted = await fitPrompt(await callToFit(turns, { limit, tokenMultiplierGiven: false }));
    expect(fitted.prompt).toBe(turns);
    expect(fitted).toMatchObject({ tokens: limit, composition: undefined });
    expect(fitted.shortenedMessages).toBeUndefined();
  });

  // Outputs of tools give way first, then the oldest messages, then long texts; what is estimated gets a margin.
  it.each<[limit: number, isKnown: boolean, ...figures: unknown[]]>([
    [2150, true, 2032, undefined, [2], undefined],
    [2150, false, 1882, undefined, [2, 3], undefined],
    [1900, true, 1774, undefined, [2, 3], undefined],
    [1500, true, 1106, 5, [], 1],
    [1000, true, 947, 5, [3], 1],
    [700, true, 629, 11, [], 1],
    [450, true, 367, 15, [], 0],
    [300, true, 261, 17, [], 0],
  ])('keeps what goes into %d tokens', async (limit, tokenMultiplierGiven, ...figures) => {
    const given = await callToFit(mixed, { limit, tokenMultiplierGiven, pin: [5] });
    const { tokens, o200kTokens, shortenedMessages, composition, prompt } = await fitPrompt(given);
    const said = composition?.userTexts?.length;
    expect([tokens, composition?.cut, shortenedMessages, said]).toEqual(figures);
    expect(await tokensOf(prompt)).toBe(tokens);
    // Four for each message are spare.
    expect(o200kTokens).toBe(tokens - 4 * prompt.length);
    expect(prompt.at(-1)).toBe(mixed.at(-1));
  });

  it('begins with the same message in several calls on end, so that they are found in a cache', async () => {
    const beginnings = new Set<unknown>();
    for (let length = 71; length < 101; length += 2) {
      const fitted = await fitPrompt(await callToFit(turnsOf(length), { limit: 3000 }));
      beginnings.add(JSON.stringify(fitted.prompt[1]) + fitted.composition?.cut);
    }
    expect(beginnings.size).toBeLessThan(10);
  });

  it('sends the smallest prompt where it may fit nevertheless, and only there', async () => {
    const given = await callToFit([user(words(2, 400))], { limit: 350 });
    const sent = await fitPrompt({ ...given, measure: await measureFrom(0.5) });
    expect(sent.prompt).toBe(given.prompt);
    expect(sent.shortenedMessages).toBeUndefined();
    const refused = fitPrompt({ ...given, measure: await measureFrom(1) });
    const message =
      'The smallest prompt that can be sent takes 411 tokens, the model accepts 350 (context length 1200, less the room for the answer). System messages, tools and response schema take 3. The latest message of the user takes 408: it is too long for the model. Show the user an error text with onError of the response.';
    const refusal = { name: 'ContextOverflowError', tokens: 411, limit: 350, message };
    await expect(refused).rejects.toMatchObject(refusal);
  });

  it.each([
    ['all outputs to their facts', [], [2, 3]],
    ['no output that is pinned', [2], [3]],
  ])('shortens %s where no prompt is known to fit', async (_what, pin, shortenedMessages) => {
    const given = await callToFit([user('Read.'), ...mixed.slice(1, 4)], {
      limit: 20,
      pin,
    });
    const fitted = await fitPrompt({ ...given, measure: await measureFrom(0.01) });
    expect(fitted).toMatchObject({ shortenedMessages });
    expect(fitted.prompt[2] === given.prompt[2]).toBe(pin.length > 0);
    expect(JSON.stringify(fitted.prompt[3])).toContain('2.ts');
  });
});

describe('of what the user said in messages that are left out', () => {
  /** Long answers, between which the user says little. */
  const chat = (questions: readonly Message[]): Message[] =>
    questions.flatMap((question, index) => [question, assistant(words(index, 150))]);
  const textsOf = async (prompt: Message[], limit = 600): Promise<readonly string[]> =>
    (await fitPrompt(await callToFit(prompt, { limit }))).composition?.userTexts ?? [];

  it('the first and then the newest are repeated, in their order', async () => {
    const said = Array.from({ length: 60 }, (_, index) => `Mind hook ${index}.`);
    // One of them has no words, as where a picture stands alone.
    const texts = await textsOf(chat(said.toSpliced(56, 0, ' ').map(user)));
    expect(texts[0]).toBe(said[0]);
    expect(texts).not.toContain(said[1]);
    expect(texts.length).toBeGreaterThan(3);
    expect(texts).toEqual(said.filter((text) => texts.includes(text)));
  });

  it.each([
    ['not below 200 characters', 700, 0.5, 200],
    ['not above 2,000 characters', 12_000, 12, 2000],
  ])('long ones are shortened, %s', async (_how, limit, scale, characters) => {
    const long = words(1, 1000 * scale);
    const answers = Array.from({ length: 40 }, (_, index) =>
      index % 2 === 0 ? assistant(words(index, 100 * scale)) : user(`Go on: ${index}`),
    );
    const [first = ''] = await textsOf([user(long), ...answers], limit);
    expect(first.startsWith(long.slice(0, 50))).toBe(true);
    expect(first.length).toBeLessThanOrEqual(characters);
    expect(first.length).toBeGreaterThan(characters * 0.9);
  });
});

it('a summary is not given up for the room that is left free as sizes are estimates', async () => {
  const prompt = [...turns.slice(0, 4), user(words(7, 1000))];
  const limit = (await tokensOf(prompt.slice(4))) + 80;
  const input = await callToFit(prompt, { limit, tokenMultiplierGiven: false });
  const record = testRecord(4, `${words(1, 100)}. The gate code is 4417.`, 100);
  const composition = composePrompt(input.view, input.style, { record, cut: 4 });
  const draft = await fitPrompt({ ...input, composition, prompt: composition.prompt });
  expect(draft.composition?.record.summary).toContain('The gate code is 4417.');
  expect(draft.tokens).toBeLessThanOrEqual(limit);
});

it('a summary says what is left out beside it, which is chosen anew when less fits', async () => {
  const prompt = [...turns.slice(0, 6), user(words(7, 20)), assistant('Yes.'), user('Go on.')];
  const given = await callToFit(prompt, { limit: 240 });
  const record = testRecord(4, words(1, 100), 100);
  const composition = composePrompt(given.view, given.style, { record, cut: 4 });
  const first = await fitPrompt({ ...given, composition, prompt: composition.prompt });
  expect(first.composition?.record.keyPoints).toEqual([
    expect.stringMatching(/^[1-9] messages after the ones summarized here were left out/),
  ]);
  const policy = { ...given.policy, limit: 220 };
  const again = await fitPrompt({ ...given, ...first, policy });
  for (const made of [first.composition, again.composition]) {
    expect(made?.instead).toEqual({ of: composition });
    expect(made?.record.parentId).toBe(record.id);
  }
});
