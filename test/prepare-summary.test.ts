import { generateText, jsonSchema, type ModelMessage } from 'ai';
import type { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  prepareSummary,
  type PrepareSummaryInput,
  readArchive,
  readCompactCommand,
  type SummarizationOptions,
  type SummaryJob,
  type SummaryStore,
} from '../src/index.ts';
import { chat } from './support/messages.ts';
import { answer, chatModel, summarizerModel } from './support/models.ts';
import { lastPrompt, summaryOf } from './support/prompts.ts';
import { setUp, type SetUp } from './support/set-up.ts';
import { dyingAfter, sharedStore, type SharedStore } from './support/shared-store.ts';
import { turns, until } from './support/until.ts';
import { untyped } from './support/untyped.ts';
import { settled, stopTime } from './support/virtual-time.ts';
import { throwing, rejecting } from './support/throwing.ts';

afterEach(() => {
  vi.useRealTimers();
});

const secret = 'a secret of the operator';
/** A context of which the chat takes less than `resetTokenRatio`, less than the trigger, and more. */
const contextLength = 1050;
const below = chat(13);
const soon = chat(15);
const due = chat(17);

type Own = Readonly<Record<string, string | boolean>>;

const rivers = (): MockLanguageModelV4 =>
  summarizerModel(answer({ summary: 'They spoke of rivers.' }));

/** A server whose calls leave their summaries to a queue. */
function server(store: SummaryStore, options: SummarizationOptions = {}) {
  const jobs: string[] = [];
  const enqueue = (job: SummaryJob): void => void jobs.push(JSON.stringify(job));
  const made = setUp({ contextLength, store, secret, background: { enqueue }, ...options });
  return { ...made, jobs };
}

async function send(
  { model }: Pick<SetUp, 'model'>,
  messages: readonly ModelMessage[],
  own: Own = {},
): Promise<void> {
  const tools = { look: { description: 'Looks.', inputSchema: jsonSchema({ type: 'object' }) } };
  const providerOptions = { summarization: own };
  await generateText({ model, messages: [...messages], tools, providerOptions });
  await turns(50);
}

/** A server one of whose calls has enqueued a job, which loads with the first of them. */
async function enqueued(own: Own = {}, messages = soon, options: SummarizationOptions = {}) {
  const shared = sharedStore();
  const front = server(shared.open(), options);
  await send(front, messages, own);
  await until(() => front.jobs.length > 0);
  return { shared, front, job: front.jobs[0] ?? '' };
}

/** Does a job as a worker does that has read it from its queue. */
function work(store: SummaryStore, job: string, summarizer = rivers()) {
  const given: SummaryJob = JSON.parse(job);
  const options = { contextLength, summarizerModelPreference: summarizer };
  return prepareSummary({ ...given, store, secret, model: chatModel(), options });
}

/** Expects that a process which knows nothing puts the summary in place, and pays for none. */
async function expectInPlace(shared: SharedStore, own: Own = {}, next = server(shared.open())) {
  await send(next, due, own);
  expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
  expect(next.summarizer.doGenerateCalls).toHaveLength(0);
}

describe('a summary that is asked for by the user', () => {
  const typed = (messages: readonly ModelMessage[], store: SummaryStore, summarizer = rivers()) => {
    const options = { contextLength: 100_000, summarizerModelPreference: summarizer };
    const given = { store, secret, model: chatModel(), options, conversationId: 'chat' };
    const command = readCompactCommand('/compact keep the API design');
    return prepareSummary({ ...given, ...command, messages: [...messages] });
  };

  it('is made below the trigger, looks to what it is told, and stands in the next call', async () => {
    const shared = sharedStore();
    const summarizer = rivers();
    const made = await typed(below, shared.open(), summarizer);
    expect(made).toMatchObject({ ok: true, record: { summary: 'They spoke of rivers.' } });
    expect(JSON.stringify(summarizer.doGenerateCalls)).toContain('keep the API design');
    const next = server(shared.open(), { contextLength: 100_000 });
    await send(next, due, { conversationId: 'chat' });
    expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
    expect(JSON.stringify(next.inner.doGenerateCalls)).not.toContain('/compact');
    expect(next.summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('is not made again where nothing has come since, and says so', async () => {
    const shared = sharedStore();
    await typed(below, shared.open());
    const summarizer = rivers();
    const again = await typed(below, shared.open(), summarizer);
    expect(again).toMatchObject({ ok: true, record: undefined, reason: 'nothing-to-cover' });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
    const little = await typed(chat(1), shared.open(), summarizer);
    expect(little).toMatchObject({ ok: true, record: undefined });
  });
});

describe('a summary that is enqueued', () => {
  it.each<[Own, SummarizationOptions]>([
    [{}, {}],
    [{ conversationId: 'chat 1', namespace: 'a' }, {}],
    [{}, { conversationId: () => 'chat 2' }],
  ])(
    'is made by a worker, and put in place by the call that needs it: %o, %o',
    async (own, options) => {
      const { shared, front, job } = await enqueued(own, soon, options);
      expect(JSON.parse(job)).toMatchObject({ namespace: '', ...own });
      expect(job).not.toMatch(/Question|Looks/);
      const summarizer = rivers();
      const result = await work(shared.open(), job, summarizer);
      expect(result).toMatchObject({ ok: true, record: { summary: 'They spoke of rivers.' } });
      expect(summarizer.doGenerateCalls).toHaveLength(1);
      await expectInPlace(shared, own, server(shared.open(), options));
      await expectInPlace(shared, own, front);
    },
  );

  it('is the same job until it is made, handed in once a minute, and none before or after', async () => {
    const shared = sharedStore();
    const [front, neighbour] = [server(shared.open()), server(shared.open())];
    const later = [...soon, ...chat(17).slice(15)];
    await send(front, below);
    expect(front.jobs).toEqual([]);
    await send(front, soon);
    await until(() => front.jobs.length > 0);
    await send(front, later);
    await send(neighbour, later);
    await until(() => neighbour.jobs.length > 0);
    expect(front.jobs).toHaveLength(1);
    const now = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now + 60_001);
    await send(front, later);
    await until(() => front.jobs.length > 1);
    clock.mockRestore();
    const ids = new Set([...front.jobs, ...neighbour.jobs].map((job) => JSON.parse(job).id));
    expect(ids.size).toBe(1);
    const alike = await enqueued({}, [...soon.slice(0, 2), ...chat(17).slice(4)]);
    expect(ids).not.toContain(JSON.parse(alike.job).id);
    await work(shared.open(), front.jobs[0] ?? '');
    const other = server(shared.open());
    await send(other, soon);
    await send(other, soon);
    expect(other.jobs).toEqual([]);
  });

  it('is paid once, however many do the job', async () => {
    const { shared, job } = await enqueued();
    const summarizer = rivers();
    const store = shared.open();
    const results = await Promise.all(
      [store, store, shared.open()].map((each) => work(each, job, summarizer)),
    );
    results.push(await work(shared.open(), job, summarizer));
    const ids = results.map((result) => (result.ok ? result.record?.id : 'failed'));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[\da-f]{16}$/);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(results.at(-1)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
  });

  it('is enqueued by a call that needs it and fits, which waits for nothing', async () => {
    const { front } = await enqueued({}, due);
    expect(lastPrompt(front.inner)).toHaveLength(due.length);
    expect(front.summarizer.doGenerateCalls).toHaveLength(0);
    expect(front.events).toContainEqual(
      expect.objectContaining({ type: 'skipped', reason: 'summary-pending' }),
    );
  });

  it('is made in the request where the prompt does not fit', async () => {
    const front = server(sharedStore().open(), { contextLength: 850 });
    await send(front, due);
    expect(front.jobs).toEqual([]);
    expect(summaryOf(lastPrompt(front.inner))).toContain('rivers');
  });

  it.each(Object.entries({ throws: throwing, rejects: rejecting }))(
    'costs a call nothing where the queue %s',
    async (_how, enqueue) => {
      const front = server(sharedStore().open(), { background: { enqueue } });
      const failures = (): unknown[] => front.events.filter(({ type }) => type === 'failed');
      for (const [index, messages] of [soon, due].entries()) {
        await send(front, messages);
        expect(lastPrompt(front.inner)).toHaveLength(messages.length);
        // What the queue did not take is handed in by the next call.
        await until(() => failures().length > index);
      }
      const failure = { stage: 'background', reason: 'the summary could not be enqueued' };
      expect(failures()[0]).toMatchObject({ ...failure, error: { message: 'down' } });
      expect(front.summarizer.doGenerateCalls).toHaveLength(0);
    },
  );

  it.each([
    [{ conversationId: 'chat 1' }, { conversationId: 'chat 1' }],
    [{}, { messages: soon }],
  ])('is not made for a conversation that was erased meanwhile: %j', async (own, given) => {
    const { shared, job } = await enqueued(own);
    await eraseConversation({ store: shared.open(), secret, ...given });
    const summarizer = rivers();
    const result = await work(shared.open(), job, summarizer);
    expect(result).toMatchObject({ ok: true, record: undefined, reason: 'erased' });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('is asked for by a call, and stands in the next one', async () => {
    const options = { contextLength: 4000 };
    const { shared, job } = await enqueued({ force: true }, due, options);
    const summarizer = rivers();
    for (let time = 0; time < 2; time += 1) await work(shared.open(), job, summarizer);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    await expectInPlace(shared, {}, server(shared.open(), options));
  });

  it('is taken up by another worker, wherever the first one was killed', async () => {
    await stopTime();
    for (let operations = 0, isOver = false; !isOver; operations += 1) {
      const { shared, job } = await settled(enqueued());
      const summarizer = rivers();
      const dying = dyingAfter(operations);
      const first = work(shared.open(dying.change), job, summarizer).then(() => true);
      isOver = await settled(Promise.race([first, dying.died.then(() => false)]));
      const result = await settled(work(shared.open(), job, summarizer));
      expect(result).toMatchObject({ ok: true, record: {} });
      expect(summarizer.doGenerateCalls.length).toBeLessThanOrEqual(2);
      await settled(expectInPlace(shared));
    }
  });

  it('says that the store did not take it, and brings it there when it is done again', async () => {
    const { shared, job } = await enqueued();
    let isDown = true;
    const store = shared.open(({ compareAndSet }) => ({
      compareAndSet: (key, entry) =>
        isDown && entry.value.length > 500 ? Promise.resolve(false) : compareAndSet(key, entry),
    }));
    const summarizer = rivers();
    const failed = { ok: false, retryable: true, error: { reason: 'store' } };
    expect(await work(store, job, summarizer)).toMatchObject(failed);
    isDown = false;
    expect(await work(store, job, summarizer)).toMatchObject({ ok: true, record: {} });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    await expectInPlace(shared);
  });
});

describe('prepareSummary', () => {
  const prepare = (input: object): ReturnType<typeof prepareSummary> => {
    const options = { contextLength, summarizerModelPreference: rivers(), archive: true };
    const given = { store: sharedStore().open(), secret, model: chatModel(), messages: soon };
    return prepareSummary(untyped<PrepareSummaryInput>({ ...given, options, ...input }));
  };

  it('takes the messages of a conversation', async () => {
    const shared = sharedStore();
    const own = { conversationId: 'chat 1' };
    const of = { store: shared.open(), secret, ...own };
    const result = await prepare(of);
    if (!result.ok || result.record === undefined) throw new Error('There is no record.');
    const { messages } = await readArchive({ ...of, record: result.record });
    expect(messages).toHaveLength(result.record.coveredMessages);
    await expectInPlace(shared, own);
  });

  it('makes none before one will be needed', async () => {
    const expected = { ok: true, record: undefined, reason: 'below-trigger' };
    const usage = { inputTokens: 0, outputTokens: 0 };
    expect(await prepare({ messages: below })).toEqual({ ...expected, usage });
  });

  it('rejects at once when its signal aborts while the summary is written', async () => {
    const asked = Promise.withResolvers<void>();
    const summarize = async (): Promise<never> => {
      asked.resolve();
      return new Promise(() => {});
    };
    const strategy = { name: 'slow', summarize };
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const made = prepare({ messages: due, options: { contextLength, strategy }, abortSignal });
    await asked.promise;
    controller.abort(new Error('shut down'));
    await expect(made).rejects.toThrow('shut down');
  });

  it('refuses a job of another secret or namespace, and one that was altered', async () => {
    const { job } = await enqueued();
    const given: SummaryJob = JSON.parse(job);
    const wrong = [
      { secret: 'another secret of an operator' },
      { namespace: 'b' },
      { call: `${given.call.slice(0, -4)}AAAA` },
      { call: 'x' },
    ];
    for (const each of wrong)
      await expect(prepare({ ...given, messages: undefined, ...each })).rejects.toThrow(
        /Invalid option call: .*enqueued under this secret and namespace/,
      );
  });
});
