import { describe, expect, it } from 'vitest';
import { composePrompt } from '../../../src/composing/compose-prompt.ts';
import { omittedSummary } from '../../../src/composing/render-summary.ts';
import { ContextOverflowError, type Message } from '../../../src/index.ts';
import { fitCall, type CallToFit } from '../../../src/fitting/fit-call.ts';
import { emptyContent } from '../../support/empty-content.ts';
import { buildRecord } from '../../../src/record/build-record.ts';
import { tokenMeasure, type TokenMeasure } from '../../../src/sizing/token-measure.ts';
import { timeSlices } from '../../../src/util/async/time-slices.ts';
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
  const composition = await composePrompt(given.view, given.style, { record, cut }, timeSlices());
  return { ...given, composition, prompt: composition.prompt };
}

describe('fitCall', () => {
  it('leaves a prompt alone that just fits', async () => {
    const limit = await tokensOf(turns);
    const given = await callToFit(turns, { limit, tokenMultiplierGiven: false });
    const fitted = await fitCall(given);
    expect(fitted.prompt).toBe(given.prompt);
    expect(fitted).toMatchObject({ tokens: limit, composition: undefined });
    expect(fitted.counted).toBe(given.measure.counted(turns));
    expect(fitted.shortening).toBeUndefined();
  });

  it.each([
    ['to the limit, where its tokens are known', true, 1, 0.97],
    ['with a margin, where they are estimated', false, 0.95, 0.85],
  ])('shortens one that does not fit %s', async (_how, tokenMultiplierGiven, most, least) => {
    const tokensBefore = await tokensOf(turns);
    const limit = tokensBefore - 1;
    const fitted = await fitCall(await callToFit(turns, { limit, tokenMultiplierGiven }));
    expect(fitted.tokens).toBe(await tokensOf(fitted.prompt));
    expect(fitted.tokens).toBeLessThanOrEqual(limit * most);
    expect(fitted.tokens).toBeGreaterThan(limit * least);
    expect(fitted.shortening).toMatchObject({ tokensBefore, tokensAfter: fitted.tokens });
    expect(fitted.composition?.record.strategy).toBe('trim');
    expect(fitted.prompt.at(-1)).toBe(turns.at(-1));
  });

  it('says what takes the room where nothing can be made short enough', async () => {
    const prompt = [
      system('Be kind.'),
      user(words(1, 300)),
      assistant('Yes?'),
      user(words(2, 400)),
    ];
    const given = await callToFit(prompt, { limit: 300, contextLength: 350 });
    const failure = await fitCall(given).catch((error: unknown) => error);
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
    const sent = await fitCall({ ...given, measure: await measureFrom(0.5) });
    expect(sent.prompt).toBe(given.prompt);
    // Nothing was done to it.
    expect(sent.shortening).toBeUndefined();
    const refused = fitCall({ ...given, measure: await measureFrom(1) });
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

    it.each<[string, Partial<CallToFit['policy']> & { pin?: number[] }, boolean, boolean]>([
      [
        'older outputs to their facts, recent ones to head and tail',
        { preserveRecent: 1 },
        true,
        false,
      ],
      ['all recent outputs to head and tail', { preserveRecent: 2 }, false, false],
      ['no output that is pinned', { preserveRecent: 1, pin: [2] }, false, true],
    ])('shortens %s', async (_what, options, isCondensed, isWhole) => {
      const given = await callToFit(reading, { limit: 20, ...options });
      const fitted = await fitCall({ ...given, measure: await measureFrom(0.01) });
      expect(textOf(fitted.prompt[2]).includes('a.ts')).toBe(isCondensed);
      expect(fitted.prompt[2] === reading[2]).toBe(isWhole);
      expect(textOf(fitted.prompt[3])).not.toContain('b.ts');
      expect(fitted.prompt[3]).not.toBe(reading[3]);
      expect(fitted.shortening?.shortenedMessages).toEqual(isWhole ? [3] : [2, 3]);
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
      const fitted = await fitCall(given);
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

    it('chooses anew what is left out of a prompt that was shortened before', async () => {
      const given = await withSummary(prompt, 4, 100, 290);
      const first = await fitCall(given);
      expect(first.composition?.instead).toEqual({ of: given.composition });
      const again = await fitCall({ ...given, ...first, policy: { ...given.policy, limit: 260 } });
      expect(again.composition?.instead).toEqual({ of: given.composition });
      expect(again.composition?.record.parentId).toBe(given.composition.record.id);
    });
  });
});
