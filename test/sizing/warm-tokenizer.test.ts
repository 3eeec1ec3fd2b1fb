import { generateText, streamText, wrapLanguageModel } from 'ai';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { chatModel } from '../support/models.ts';
import { turns, until } from '../support/until.ts';

const tables = 'gpt-tokenizer/bpeRanks/o200k_base';
let loads = 0;
let isBroken = false;

beforeEach(() => {
  // A process that has loaded nothing.
  vi.resetModules();
  loads = 0;
  isBroken = false;
  vi.doMock(tables, async (original) => {
    // What still loads would be what the next test is given.
    const loaded: unknown = await original();
    loads += 1;
    if (isBroken) throw new Error('ChunkLoadError');
    return Object(loaded);
  });
});

/** Calls a model of 100,000 tokens with a prompt of so many characters. */
async function callWith(
  characters: number,
  call: (options: { model: ReturnType<typeof wrapLanguageModel>; prompt: string }) => unknown,
): Promise<ReturnType<typeof chatModel>> {
  const { summarizationMiddleware } = await import('../../src/index.ts');
  const inner = chatModel();
  const middleware = summarizationMiddleware({ contextLength: 100_000 });
  await call({
    model: wrapLanguageModel({ model: inner, middleware }),
    prompt: 'river '.repeat(characters / 6),
  });
  return inner;
}

describe('the tables of the tokenizer', () => {
  it.each([
    ['generateText', async (options: Parameters<typeof generateText>[0]) => generateText(options)],
    ['streamText', async (options: Parameters<typeof streamText>[0]) => streamText(options).text],
  ])('are loaded beside a call that nears the size to be counted at, %s', async (_, call) => {
    const inner = await callWith(360_000, call);
    expect(inner.doGenerateCalls.length + inner.doStreamCalls.length).toBe(1);
    await until(() => loads > 0);
    expect(loads).toBe(1);
  });

  it('are not loaded for prompts whose sample is far from it, though they have more bytes than the model takes tokens', async () => {
    await callWith(200_000, async (options) => generateText(options));
    await turns(10);
    expect(loads).toBe(0);
  });

  it('harm nothing when they cannot be loaded', async () => {
    isBroken = true;
    const inner = await callWith(360_000, async (options) => {
      const { text } = await generateText(options);
      expect(text).toBe('Understood.');
    });
    await until(() => loads > 0);
    expect(inner.doGenerateCalls).toHaveLength(1);
  });
});
