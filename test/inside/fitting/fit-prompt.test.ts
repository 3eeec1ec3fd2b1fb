import { describe, expect, it } from 'vitest';
import { composePrompt } from '../../../src/composing/compose-prompt.ts';
import { omittedSummary } from '../../../src/composing/render-summary.ts';
import { ContextOverflowError, type Message } from '../../../src/index.ts';
import { fitPrompt } from '../../../src/fitting/fit-prompt.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { tokenMeasure, type TokenMeasure } from '../../../src/sizing/token-measure.ts';
import { words } from '../../support/messages.ts';
import { assistant, call, result, system, user } from '../../support/prompt-messages.ts';
import { callToFit } from './call-to-fit.ts';

/** Twenty turns of about 50 tokens each. */
const turns = Array.from({ length: 20 }, (_, index) =>
  index % 2 === 0 ? user(words(index, 45)) : assistant(words(index, 45)),
);

async function tokensOf(prompt: readonly Message[]): Promise<number> {
  const { measure } = await callToFit([...prompt]);
  await measure.count(prompt);
  return measure.prompt(prompt);
}

/** Counts tokens of which each may come to no more than a share of one. */
async function measureFrom(least: number): Promise<TokenMeasure> {
  const model = { provider: 'openai.responses', modelId: 'gpt-test' };
  return tokenMeasure({ prompt: [] }, model, { multiplier: 1, least, hidden: 0 });
}

/** A call in whose prompt a record with a summary of so many words stands for the first messages. */
async function withSummary(prompt: Message[], cut: number, length: number, limit: number) {
  const given = await callToFit(prompt, { limit });
  const { identity } = given.view;
  const record = buildRecord(
    {
      key: 'f'.repeat(64),
      depth: 0,
      coveredMessages: cut,
      prefixDigest: await identity.prefixDigest(cut),
      strategy: 'llm',
      degraded: false,
      inputTokens: 100,
    },
    emptyContent(words(1, length)),
    length,
  );
  const composition = composePrompt(given.view, given.style, { record, cut });
  return { ...given, composition, prompt: composition.prompt };
}

describe('fitPrompt', () => {
  it('leaves a prompt alone that just fits', async () => {
    const limit = await tokensOf(turns);
    const given = await callToFit(turns, { limit, tokenMultiplierGiven: false });
    const fitted = await fitPrompt(given);
    expect(fitted.prompt).toBe(given.prompt);
    expect(fitted).toMatchObject({ tokens: limit, composition: undefined });
    expect(fitted.counted).toBe(given.measure.counter.prompt(turns));
    expect(fitted.shortening).toBeUndefined();
  });

  it.each([
    ['to the limit, where its tokens are known', true, 1, 0.84, 'trim'],
    ['with a margin, where they are estimated', false, 0.95, 0.84, 'trim'],
  ])(
    'shortens one that does not fit %s',
    async (_how, tokenMultiplierGiven, most, least, strategy) => {
      const tokensBefore = await tokensOf(turns);
      const limit = tokensBefore - 1;
      const fitted = await fitPrompt(await callToFit(turns, { limit, tokenMultiplierGiven }));
      expect(fitted.tokens).toBe(await tokensOf(fitted.prompt));
      expect(fitted.tokens).toBeLessThanOrEqual(limit * most);
      expect(fitted.tokens).toBeGreaterThan(limit * least);
      expect(fitted.shortening).toMatchObject({ tokensBefore, tokensAfter: fitted.tokens });
      expect(fitted.composition?.record.strategy).toBe(strategy);
      expect(fitted.prompt.at(-1)).toBe(turns.at(-1));
    },
  );

  it('says what takes the room where nothing can be made short enough', async () => {
    const prompt = [
      system('Be kind.'),
      user(words(1, 300)),
      assistant('Yes?'),
      user(words(2, 400)),
    ];
    const given = await callToFit(prompt, { limit: 300, contextLength: 350 });
    const failure = await fitPrompt(given).catch((error: unknown) => error);
    if (!ContextOverflowError.isInstance(failure)) throw new Error('It should not fit.');
    const { tokens, limit, message } = failure;
    expect(limit).toBe(300);
    expect(tokens).toBeGreaterThan(300);
    expect(tokens).toBeLessThan(await tokensOf(prompt));
    expect(message).toContain(`takes ${tokens} tokens, the model accepts 300 (context length 350`);
    expect(message).toContain(`response schema take ${await tokensOf([system('Be kind.')])},`);
    const latest = given.measure.message(user(words(2, 400)));
    expect(message).toContain(`the latest user message takes ${latest}.`);
  });

  it('sends the smallest prompt where it may fit nevertheless, and only there', async () => {
    const prompt = [user(words(2, 400))];
    const given = await callToFit(prompt, { limit: 350 });
    const sent = await fitPrompt({ ...given, measure: await measureFrom(0.5) });
    expect(sent.prompt).toBe(given.prompt);
    // Nothing was done to it.
    expect(sent.shortening).toBeUndefined();
    const refused = fitPrompt({ ...given, measure: await measureFrom(1) });
    await expect(refused).rejects.toThrow(ContextOverflowError);
  });

  describe('where no prompt is known to fit', () => {
    const output = (id: string, length: number): Message => ({
      role: 'tool',
      content: [result(id, words(Number(id), length))],
    });
    const reading = [
      user('Read the files.'),
      assistant('', call('1', { input: { path: 'a.ts' } }), call('2', { input: { path: 'b.ts' } })),
      output('1', 400),
      output('2', 400),
    ];
    const textOf = (message: Message | undefined): string => JSON.stringify(message?.content);

    it.each([
      ['all outputs to their facts', [], false],
      ['no output that is pinned', [2], true],
    ])('shortens %s', async (_what, pin, isWhole) => {
      const given = await callToFit(reading, { limit: 20, pin });
      const fitted = await fitPrompt({ ...given, measure: await measureFrom(0.01) });
      expect(fitted.prompt[2] === reading[2]).toBe(isWhole);
      expect(textOf(fitted.prompt[2])).toContain(isWhole ? 'winter' : 'a.ts');
      expect(textOf(fitted.prompt[3])).toContain('b.ts');
      expect(fitted.shortening?.shortenedMessages).toEqual(isWhole ? [3] : [2, 3]);
    });
  });

  describe('of what the user said in messages that are left out', () => {
    const said = (index: number): string => `Mind hook ${index}.`;
    /** Long answers, between which the user says little. */
    const chat = (questions: readonly Message[]): Message[] =>
      questions.flatMap((question, index) => [question, assistant(words(index, 150))]);
    const questions = Array.from({ length: 12 }, (_, index) => user(said(index)));
    const wordsOf = async (prompt: Message[], limit = 600): Promise<readonly string[]> => {
      const { composition } = await fitPrompt(await callToFit(prompt, { limit }));
      return composition?.userTexts ?? [];
    };

    it('repeats the first and then the newest, those that matter more before, in their order', async () => {
      const many = Array.from({ length: 60 }, (_, index) => user(said(index)));
      const texts = await wordsOf(chat(many));
      expect(texts[0]).toBe(said(0));
      expect(texts).not.toContain(said(1));
      expect(texts.length).toBeGreaterThan(3);
      expect(texts).toEqual(
        many.map((_, index) => said(index)).filter((text) => texts.includes(text)),
      );
      const given = await callToFit(chat(many), { limit: 600 });
      const view = {
        ...given.view,
        priority: (message: Message) => (JSON.stringify(message).includes(said(7)) ? 9 : 4),
      };
      const { composition } = await fitPrompt({ ...given, view });
      expect(composition?.userTexts?.slice(0, 2)).toEqual([said(0), said(7)]);
    });

    it('repeats of a message with a file its texts alone, and no empty ones', async () => {
      const withFile: Message = {
        role: 'user',
        content: [
          { type: 'text', text: 'See ' },
          { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'AAAA' } },
          { type: 'text', text: 'this.' },
        ],
      };
      const texts = await wordsOf(chat([withFile, user(' '), ...questions]));
      expect(texts[0]).toBe('See this.');
      expect(texts).not.toContain(' ');
    });

    it.each([
      ['not below 200 characters', 700, 0.5, 200],
      ['to two for each token of a step', 6000, 6, 1024],
      ['not above 2,000 characters', 12_000, 12, 2000],
    ])('shortens long ones, %s', async (_how, limit, scale, characters) => {
      const long = words(1, 1000 * scale);
      const answers = Array.from({ length: 40 }, (_, index) =>
        index % 2 === 0 ? assistant(words(index, 100 * scale)) : user(`Go on: ${index}`),
      );
      const [first = ''] = await wordsOf([user(long), ...answers], limit);
      expect(first.startsWith(long.slice(0, 50))).toBe(true);
      expect(first.length).toBeLessThanOrEqual(characters);
      expect(first.length).toBeGreaterThan(characters * 0.9);
    });

    it('repeats nothing where the user said nothing', async () => {
      const answers = Array.from({ length: 20 }, (_, index) => assistant(words(index, 150)));
      const fitted = await fitPrompt(await callToFit(answers, { limit: 600 }));
      const { record, userTexts } = fitted.composition ?? {};
      expect(userTexts).toEqual([]);
      expect(record).toMatchObject({ strategy: 'trim', degraded: true, summary: omittedSummary });
    });
  });

  describe('behind a summary', () => {
    const prompt: Message[] = [
      ...turns.slice(0, 6),
      user(words(7, 20)),
      assistant('Yes.'),
      user('Go on.'),
    ];

    it.each([
      ['keeps what it says where that fits', 4, 500, 'all'],
      ['keeps as much of it as there is room for', 4, 280, 'some'],
      ['does so where no other record may stand for more', 7, 280, 'some'],
      ['gives it up at last', 4, 110, omittedSummary],
      ['gives it up where no other record may stand for more', 7, 110, omittedSummary],
    ])('%s', async (_what, cut, limit, kept) => {
      const length = 300;
      const given = await withSummary(prompt, cut, length, limit);
      const fitted = await fitPrompt(given);
      expect(fitted.tokens).toBeLessThanOrEqual(limit);
      const said = fitted.composition?.record.summary ?? '';
      const whole = words(1, length);
      const isPart = whole.startsWith(said.replace(/…$/, ''));
      const some = isPart && fitted.tokens > 0.85 * limit ? 'some' : said;
      expect(said === whole ? 'all' : some).toBe(kept);
      expect(fitted.prompt.at(-1)).toBe(prompt.at(-1));
      const { coveredMessages, id, parentId } = fitted.composition?.record ?? {};
      expect(coveredMessages).toBeGreaterThanOrEqual(cut);
      expect(parentId).not.toBe(id);
    });

    it('says what is left out beside it', async () => {
      const given = await withSummary(prompt, 4, 100, 240);
      const { composition } = await fitPrompt(given);
      expect(composition?.record.keyPoints).toEqual([
        expect.stringMatching(/^[1-9] messages after the ones summarised here were left out/),
      ]);
      expect(composition?.record.parentId).toBe(given.composition.record.id);
    });

    it('chooses anew what is left out of a prompt that was shortened before', async () => {
      const given = await withSummary(prompt, 4, 100, 240);
      const first = await fitPrompt(given);
      expect(first.composition?.instead).toEqual({ of: given.composition });
      const again = await fitPrompt({
        ...given,
        ...first,
        policy: { ...given.policy, limit: 220 },
      });
      expect(again.composition?.instead).toEqual({ of: given.composition });
      expect(again.composition?.record.parentId).toBe(given.composition.record.id);
    });
  });
});
