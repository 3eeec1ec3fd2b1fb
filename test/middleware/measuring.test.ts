import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { memoryStore, summarizationMiddleware } from '../../src/index.ts';
import { assistant, chat, user } from '../support/messages.ts';
import { answer, billedResult, chatModel, summarizerModel } from '../support/models.ts';
import { eventsOf, setUp, type SetUp } from '../support/set-up.ts';
import { sharedStore } from '../support/shared-store.ts';
import { turns, until } from '../support/until.ts';

/** A model that reports so many input tokens for each call. */
function reporting(...reports: readonly number[]): MockLanguageModelV4 {
  const model = summarizerModel(...reports.map((total) => billedResult('Understood.', total)));
  return Object.assign(model, { modelId: 'reporting' });
}

const conversationId = 'a conversation';

const checks = (run: SetUp) => eventsOf(run, 'check');

async function converse({ model }: SetUp, messages: ModelMessage[]): Promise<ModelMessage[]> {
  const { text } = await generateText({ model, messages });
  return [...messages, assistant(text)];
}

describe('the size of a call', () => {
  it('is decided by the usage of the call before and what is new', async () => {
    const run = setUp({ contextLength: 1200 }, { inner: reporting(750) });
    const messages = await converse(run, chat(15));
    await converse(run, [...messages, user('And now?')]);
    const [, second] = checks(run);
    expect(second).toMatchObject({ measuredBy: 'usage', act: 'none', exact: false, tokens: 760 });
  });

  it('is what the provider says, where that is more than a count', async () => {
    const messages = [...chat(13), assistant('Understood.'), user('And now?')];
    const silent = setUp({ contextLength: 1200 });
    await converse(silent, messages);
    expect(checks(silent)).toMatchObject([{ act: 'none', measuredBy: 'estimate' }]);

    const run = setUp({ contextLength: 1200 }, { inner: reporting(1000, 300) });
    await converse(run, chat(13));
    await converse(run, messages);
    expect(checks(run)[1]).toMatchObject({ act: 'summarize', measuredBy: 'usage' });
    expect(run.summarizer.doGenerateCalls).toHaveLength(1);
  });

  it('does not take one absurd report for something added to every prompt', async () => {
    const run = setUp({ contextLength: 8000 }, { inner: reporting(1e9) });
    await converse(run, chat(5));
    await converse(run, chat(15));
    expect(checks(run)).toMatchObject([{ act: 'none' }, { act: 'none', tokens: 1130 }]);
  });

  it('is decided by the usage that another process was told, without the tokenizer', async () => {
    const shared = sharedStore();
    const process = (contextLength: number, ...reports: readonly number[]): SetUp =>
      setUp(
        { contextLength, store: shared.open(), secret: 'a secret for the tests', conversationId },
        { inner: reporting(...reports) },
      );
    const messages = await converse(process(1200, 750), chat(15));
    await until(() => shared.entries.size > 0);
    const next = [...messages, user('And now?')];
    const second = process(1200, 760);
    await converse(second, next);
    expect(checks(second)).toMatchObject([
      { measuredBy: 'usage', act: 'none', tokenized: false, tokens: expect.closeTo(760, -1) },
    ]);
    // A prompt beyond the trigger of a smaller window is summarized by what the other process was told.
    const third = process(900, 760);
    await converse(third, next);
    expect(checks(third)).toMatchObject([{ measuredBy: 'usage', act: 'summarize' }]);
    expect(third.summarizer.doGenerateCalls).toHaveLength(1);
    const other = setUp(
      {
        contextLength: 1200,
        store: shared.open(),
        secret: 'a secret for the tests',
        conversationId,
      },
      { inner: chatModel() },
    );
    await converse(other, next);
    expect(checks(other)).toMatchObject([{ measuredBy: 'estimate' }]);
  });

  it('is stored a few times before a summary, and not while the prompt is far from one', async () => {
    const shared = sharedStore();
    let writes = 0;
    const store = shared.open(({ compareAndSet }) => ({
      compareAndSet: async (...write) => {
        writes += 1;
        return compareAndSet(...write);
      },
    }));
    const reports = Array.from({ length: 40 }, (_, call) => 20 + 20 * call);
    const run = setUp(
      { contextLength: 1200, store, secret: 'a secret for the tests', conversationId },
      { inner: reporting(...reports) },
    );
    let messages = chat(1);
    for (const _ of reports) {
      messages = await converse(run, messages);
      await turns(20);
      if (eventsOf(run, 'end').length > 0) break;
      messages = [...messages, user('Go on.')];
    }
    expect(writes).toBeGreaterThan(0);
    expect(writes).toBeLessThan(10);
  });

  it('is not what was reported in another namespace of the same store', async () => {
    const store = memoryStore();
    const options = { contextLength: 1200, store, secret: 'a secret for the tests' };
    const messages = [...chat(13), assistant('Understood.'), user('And now?')];
    const one = setUp({ ...options, namespace: 'one' }, { inner: reporting(1000) });
    await converse(one, chat(13));
    const other = setUp({ ...options, namespace: 'other' }, { inner: reporting(1000) });
    await converse(other, messages);
    expect(checks(other)).toMatchObject([{ act: 'none', measuredBy: 'estimate' }]);
    const again = setUp({ ...options, namespace: 'one' }, { inner: reporting(1000) });
    await converse(again, messages);
    expect(checks(again)).toMatchObject([{ act: 'summarize', measuredBy: 'usage' }]);
  });
});

it('stats adds up summaries, their calls, tokens and time, of one middleware', async () => {
  const middlewareOf = (said: string) =>
    summarizationMiddleware({
      contextLength: 1000,
      summarizerModelPreference: summarizerModel(billedResult(said, 1000)),
    });
  const well = middlewareOf(answer({ summary: 'They spoke of rivers.' }));
  const badly = middlewareOf('No summary.');
  expect(well.stats()).toMatchObject({ summaries: 0, calls: 0, failures: 0, durationMs: 0 });
  for (const middleware of [well, badly]) {
    const model = wrapLanguageModel({ model: chatModel(), middleware });
    for (const messages of [chat(5), chat(19)]) await generateText({ model, messages });
  }
  const [good, bad] = [well, badly].map(({ stats }) => stats());
  const [tokensSaved, durationMs] = [expect.any(Number), expect.any(Number)];
  const one = { summaries: 1, calls: 1, tokensBilled: 1003, tokensSaved, durationMs, skipped: 0 };
  const nothingCondensed = { condensedHits: 0, condensedMisses: 0, condensedCharacters: 0 };
  const all = { ...one, ...nothingCondensed, score: expect.any(Number) };
  expect(good).toEqual({ ...all, fallbacks: 0, failures: 0 });
  expect(bad).toEqual({ ...all, fallbacks: 1, failures: 1 });
  expect(Math.min(good?.tokensSaved ?? 0, bad?.tokensSaved ?? 0)).toBeGreaterThan(200);
});
