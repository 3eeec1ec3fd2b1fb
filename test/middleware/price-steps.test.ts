import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { explainSummarization, type SummarizationOptions } from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { chatModel } from '../support/models.ts';
import { lastPrompt, summaryOf } from '../support/prompts.ts';
import { eventsOf, setUp } from '../support/set-up.ts';

/** About so many thousand tokens of o200k. */
const talk = (thousands: number) => chat(101, thousands * 10);

const table = { contextLength: undefined };
const luna = { provider: 'openai.responses', modelId: 'gpt-6-luna' };
const haiku = { provider: 'anthropic.messages', modelId: 'claude-haiku-5-5' };
const usual = { input: 1, cacheRead: 0.1, cacheWrite: 1, output: 5, cacheMinutes: 5 };
const above = { tokens: 150_000, input: 2, cacheRead: 0.2, cacheWrite: 2, output: 10 };
const low = { ...above, tokens: 60_000 };

describe('the price step of a model', () => {
  it.each<[string, string, SummarizationOptions, typeof luna, number]>([
    ['is stayed below', 'summarize price-step', {}, luna, 260],
    ['is far away for a short prompt', 'none below-trigger', {}, luna, 200],
    ['is that of the model', 'summarize price-step', {}, haiku, 80],
    ['may be crossed', 'none below-trigger', { beyondPriceStep: true }, luna, 290],
    [
      'may be crossed with one model',
      'none below-trigger',
      { providers: { openai: { beyondPriceStep: true } } },
      luna,
      290,
    ],
    [
      'stays for the others',
      'summarize price-step',
      { providers: { openai: { beyondPriceStep: true } } },
      haiku,
      80,
    ],
    [
      'is that of given prices',
      'summarize price-step',
      { prices: { openai: { ...usual, above } } },
      luna,
      150,
    ],
    [
      'is none where given prices have none',
      'none below-trigger',
      { prices: { openai: usual } },
      luna,
      290,
    ],
    [
      'is no trigger where it is low',
      'none below-trigger',
      { prices: { openai: { ...usual, above: low } } },
      luna,
      80,
    ],
    [
      'goes behind a lower threshold',
      'summarize token-threshold',
      { providers: { openai: { tokenThreshold: 90_000 } } },
      luna,
      100,
    ],
  ])('%s: %s', async (_what, expected, options, model, thousands) => {
    const { act, reason } = await explainSummarization({
      messages: talk(thousands),
      model: chatModel(model),
      options: { ...table, ...options },
    });
    expect(`${act} ${reason}`).toBe(expected);
  });

  it('is what a call is summarized for', async () => {
    const inner = chatModel(haiku);
    const setup = setUp(table, { inner });
    await generateText({ model: setup.model, messages: talk(80) });
    expect(summaryOf(lastPrompt(inner))).toBeDefined();
    expect(eventsOf(setup, 'check')).toMatchObject([{ act: 'summarize', reason: 'price-step' }]);
  });

  it.each<[string, SummarizationOptions, boolean]>([
    [
      'above it, as soon as calls to come save that',
      { prices: { openai: { ...usual, above } } },
      true,
    ],
    ['not where nothing costs more', { prices: { openai: usual } }, false],
  ])("decides with optimizeFor: 'cost' %s", async (_what, options, pays) => {
    const { cost } = await explainSummarization({
      messages: [...chat(12, 14_000), ...chat(3, 5)],
      model: chatModel(luna),
      options: {
        ...table,
        optimizeFor: 'cost',
        beyondPriceStep: true,
        summarizerInput: 'transcript',
        ...options,
      },
    });
    expect(cost?.pays).toBe(pays);
  });
});
