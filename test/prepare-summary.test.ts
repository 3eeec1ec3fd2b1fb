import { generateText, jsonSchema, type ModelMessage } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  prepareSummary,
  readArchive,
  ruleBasedStrategy,
  type PrepareSummaryInput,
  type SummarizationOptions,
  type SummaryJob,
  type SummaryStore,
  type SummaryStrategy,
} from '../src/index.ts';
import { chat } from './support/messages.ts';
import { answer, chatModel, summarizerModel } from './support/models.ts';
import { lastPrompt, summaryOf } from './support/prompts.ts';
import { setUp, type SetUp } from './support/set-up.ts';
import { sharedStore } from './support/shared-store.ts';
import { turns, until } from './support/until.ts';
import { untyped } from './support/untyped.ts';

const secret = 'a secret of the operator';
/** A context of which the chat takes less than `resetTokenRatio`, less than the trigger, and more. */
const contextLength = 1050;
const below = chat(13);
const soon = chat(15);
const due = chat(17);

/** A summarising model that counts its calls. */
function counted(reply: () => string = () => answer({ summary: 'They spoke of rivers.' })) {
  return summarizerModel(reply);
}

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
  own: Readonly<Record<string, string | boolean>> = {},
): Promise<void> {
  const tools = { look: { description: 'Looks.', inputSchema: jsonSchema({ type: 'object' }) } };
  const providerOptions = { summarization: own };
  await generateText({ model, messages: [...messages], tools, providerOptions });
  await turns(50);
}

/** The store of a process that is killed at one of its operations. */
function dyingAt(store: SummaryStore, last: number) {
  const died = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let operations = 0;
  const or = <Result>(operation: () => Promise<Result>): Promise<Result> => {
    operations += 1;
    if (operations >= last) died.resolve();
    return operations < last ? operation() : never;
  };
  const dying: SummaryStore = {
    get: (key) => or(() => store.get(key)),
    compareAndSet: (...given) => or(() => store.compareAndSet(...given)),
    delete: (key) => or(() => store.delete(key)),
  };
  return { store: dying, died: died.promise };
}

/** Does a job as a worker does that has read it from its queue. */
function work(store: SummaryStore, job: string | undefined, summarizer = counted()) {
  const given: SummaryJob = JSON.parse(job ?? '');
  const options = { contextLength, summarizerModelPreference: summarizer };
  return prepareSummary({ ...given, store, secret, model: chatModel(), options });
}

describe('a summary that is enqueued', () => {
  it.each([{}, { conversationId: 'chat 1', namespace: 'a' }])(
    'is made by a worker, and put in place by the call that needs it: %o',
    async (own) => {
      const shared = sharedStore();
      const front = server(shared.open());
      await send(front, below, own);
      expect(front.jobs).toEqual([]);
      await send(front, soon, own);
      // What writes jobs loads with the first of them.
      await until(() => front.jobs.length > 0);
      expect(JSON.parse(front.jobs[0] ?? '')).toMatchObject({ namespace: '', ...own });
      expect(front.jobs[0]).not.toMatch(/Question|Looks/);

      const summarizer = counted();
      const result = await work(shared.open(), front.jobs[0], summarizer);
      expect(result).toMatchObject({ ok: true, record: { summary: 'They spoke of rivers.' } });
      expect(summarizer.doGenerateCalls).toHaveLength(1);
      // A process that knows nothing.
      for (const next of [server(shared.open()), front]) {
        await send(next, due, own);
        expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
        expect(next.summarizer.doGenerateCalls).toHaveLength(0);
      }
    },
  );

  it('is the same job until it is made, handed in once a minute, and none after', async () => {
    const shared = sharedStore();
    const [front, neighbour] = [server(shared.open()), server(shared.open())];
    const later = [...soon, ...chat(17).slice(15)];
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
    await work(shared.open(), front.jobs[0]);
    await send(server(shared.open()), soon);
    const other = server(shared.open());
    await send(other, soon);
    expect(other.jobs).toEqual([]);
  });

  it('is paid once, however many do the job', async () => {
    const shared = sharedStore();
    const front = server(shared.open());
    await send(front, soon);
    await until(() => front.jobs.length > 0);
    const summarizer = counted();
    const [job] = front.jobs;
    const store = shared.open();
    const results = await Promise.all([
      work(store, job, summarizer),
      work(store, job, summarizer),
      work(shared.open(), job, summarizer),
    ]);
    results.push(await work(shared.open(), job, summarizer));
    const ids = results.map((result) => (result.ok ? result.record?.id : 'failed'));
    expect(new Set(ids).size).toBe(1);
    expect(ids[0]).toMatch(/^[\da-f]{16}$/);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    expect(results.at(-1)).toMatchObject({ usage: { inputTokens: 0, outputTokens: 0 } });
  });

  it('is enqueued by a call that needs it and fits, which waits for nothing', async () => {
    const front = server(sharedStore().open());
    await send(front, due);
    await until(() => front.jobs.length > 0);
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

  it.each([
    [
      'throws',
      () => {
        throw new Error('no queue');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no queue'))],
  ])('costs a call nothing where the queue %s', async (_how, enqueue) => {
    const front = server(sharedStore().open(), { background: { enqueue } });
    const failures = (): unknown[] => front.events.filter(({ type }) => type === 'failed');
    for (const [index, messages] of [soon, due].entries()) {
      await send(front, messages);
      expect(lastPrompt(front.inner)).toHaveLength(messages.length);
      // What the queue did not take is handed in by the next call.
      await until(() => failures().length > index);
    }
    expect(failures()[0]).toMatchObject({
      stage: 'background',
      reason: 'the summary could not be enqueued',
      error: { message: 'no queue' },
    });
    expect(front.summarizer.doGenerateCalls).toHaveLength(0);
  });

  it.each([
    [{ conversationId: 'chat 1' }, { conversationId: 'chat 1' }],
    [{}, { messages: soon }],
  ])('is not made for a conversation that was erased meanwhile: %j', async (own, given) => {
    const shared = sharedStore();
    const front = server(shared.open());
    await send(front, soon, own);
    await until(() => front.jobs.length > 0);
    await eraseConversation({ store: shared.open(), secret, ...given });
    const summarizer = counted();
    expect(await work(shared.open(), front.jobs[0], summarizer)).toMatchObject({
      ok: true,
      record: undefined,
      reason: 'erased',
    });
    expect(summarizer.doGenerateCalls).toHaveLength(0);
  });

  it('is asked for by a call, and stands in the next one', async () => {
    const shared = sharedStore();
    const front = server(shared.open(), { contextLength: 4000 });
    await send(front, due, { force: true });
    await until(() => front.jobs.length > 0);
    const summarizer = counted();
    for (let time = 0; time < 2; time += 1) await work(shared.open(), front.jobs[0], summarizer);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    const other = server(shared.open(), { contextLength: 4000 });
    await send(other, due);
    expect(summaryOf(lastPrompt(other.inner))).toContain('rivers');
  });

  it('is taken up by another worker, wherever the first one was killed', async () => {
    for (let last = 1, isOver = false; !isOver; last += 1) {
      const shared = sharedStore();
      const front = server(shared.open());
      await send(front, soon);
      await until(() => front.jobs.length > 0);
      const summarizer = counted();
      const dying = dyingAt(shared.open(), last);
      isOver = await Promise.race([
        work(dying.store, front.jobs[0], summarizer).then(() => true),
        dying.died.then(() => false),
      ]);
      // A while later, its lease has ended.
      for (const [key, { expiresAt }] of shared.entries)
        if (expiresAt < Date.now() + 20_000) shared.entries.delete(key);
      const result = await work(shared.open(), front.jobs[0], summarizer);
      expect(result).toMatchObject({ ok: true, record: {} });
      expect(summarizer.doGenerateCalls.length).toBeLessThanOrEqual(2);
      const next = server(shared.open());
      await send(next, due);
      expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
    }
  });

  it('says how it failed, and leaves nothing behind', async () => {
    const shared = sharedStore();
    const front = server(shared.open());
    await send(front, soon);
    await until(() => front.jobs.length > 0);
    const failing = counted(() => {
      throw new Error('down');
    });
    expect(await work(shared.open(), front.jobs[0], failing)).toMatchObject({
      ok: false,
      retryable: true,
      error: { reason: 'transport' },
    });
    expect(await work(shared.open(), front.jobs[0])).toMatchObject({ ok: true, record: {} });
  });

  it('says that the store did not take it, and brings it there when it is done again', async () => {
    const shared = sharedStore();
    const front = server(shared.open());
    await send(front, soon);
    await until(() => front.jobs.length > 0);
    let isDown = true;
    const store = shared.open(({ compareAndSet }) => ({
      compareAndSet: (key, entry) =>
        isDown && entry.value.length > 500 ? Promise.resolve(false) : compareAndSet(key, entry),
    }));
    const summarizer = counted();
    expect(await work(store, front.jobs[0], summarizer)).toMatchObject({
      ok: false,
      retryable: true,
      error: { reason: 'store' },
    });
    isDown = false;
    const result = await work(store, front.jobs[0], summarizer);
    expect(result).toMatchObject({ ok: true, record: {} });
    expect(summarizer.doGenerateCalls).toHaveLength(1);
    const next = server(shared.open());
    await send(next, due);
    expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
  });
});

describe('prepareSummary', () => {
  const prepare = (input: object): ReturnType<typeof prepareSummary> => {
    const options = { contextLength, summarizerModelPreference: counted(), archive: true };
    const given = { store: sharedStore().open(), secret, model: chatModel(), messages: soon };
    return prepareSummary(untyped<PrepareSummaryInput>({ ...given, options, ...input }));
  };

  it('takes the messages of a conversation', async () => {
    const shared = sharedStore();
    const of = { store: shared.open(), secret, conversationId: 'chat 1' };
    const result = await prepare(of);
    if (!result.ok || result.record === undefined) throw new Error('There is no record.');
    const { record } = result;
    const { messages } = await readArchive({ ...of, record });
    expect(messages).toHaveLength(record.coveredMessages);
    const next = server(shared.open());
    await send(next, due, { conversationId: 'chat 1' });
    expect(summaryOf(lastPrompt(next.inner))).toContain('rivers');
  });

  it('makes none before one will be needed', async () => {
    expect(await prepare({ messages: below })).toEqual({
      ok: true,
      record: undefined,
      reason: 'below-trigger',
      usage: { inputTokens: 0, outputTokens: 0 },
    });
  });

  it('rejects when its signal aborts', async () => {
    const abortSignal = AbortSignal.abort(new Error('shut down'));
    await expect(prepare({ abortSignal })).rejects.toThrow('shut down');
  });

  it.each([
    ['it writes a summary', false],
    ['it waits for the one that another call of it writes', true],
  ])('rejects at once when its signal aborts while %s', async (_when, isJoined) => {
    const store = sharedStore().open();
    const { promise: written, resolve: write } = Promise.withResolvers<void>();
    let asked = 0;
    const slow: SummaryStrategy = {
      name: 'slow',
      summarize: async (input) => {
        asked += 1;
        await written;
        return ruleBasedStrategy().summarize(input);
      },
    };
    const options = { contextLength, strategy: slow };
    const of = { store, messages: due, options };
    const other = isJoined ? prepare(of) : undefined;
    if (isJoined) await until(() => asked === 1);
    const controller = new AbortController();
    const outcome = prepare({ ...of, abortSignal: controller.signal }).catch(
      (error: unknown) => error,
    );
    await until(() => asked === 1);
    await turns(200);
    controller.abort(new Error('shut down'));
    expect(await outcome).toEqual(new Error('shut down'));
    expect(asked).toBe(1);
    // Who did not abort has it.
    write();
    expect((await other)?.ok).toBe(isJoined ? true : undefined);
  });

  it('refuses a job of another secret or namespace, and one that was altered', async () => {
    const front = server(sharedStore().open());
    await send(front, soon);
    await until(() => front.jobs.length > 0);
    const job: SummaryJob = JSON.parse(front.jobs[0] ?? '');
    const given = { ...job, store: sharedStore().open(), secret, model: chatModel() };
    const wrong = [
      { secret: 'another secret of an operator' },
      { namespace: 'b' },
      { call: `${job.call.slice(0, -4)}AAAA` },
      { call: 'x' },
    ];
    for (const each of wrong)
      await expect(prepareSummary({ ...given, ...each })).rejects.toThrow(
        /Invalid option call: .*enqueued under this secret and namespace/,
      );
  });

  it.each([
    [{ store: {} }, /Invalid option store/],
    [{ secret: undefined }, /Invalid option secret/],
    [{ model: 7 }, /Invalid option model/],
    [{ options: { triggerRatio: 1 } }, /Invalid option triggerRatio/],
    [{ option: {} }, /Invalid option option:/],
    [{ messages: undefined }, /Invalid option messages/],
    [{ conversationId: '' }, /Invalid option conversationId/],
  ])('refuses %j', async (wrong, message) => {
    await expect(prepare(wrong)).rejects.toThrow(message);
  });

  it('is what a queue needs a store and a secret for', () => {
    const background = { enqueue: () => {} };
    const store = sharedStore().open();
    for (const wrong of [{}, { store }, { secret }])
      expect(() => setUp({ background, ...wrong })).toThrow(
        /Invalid option background: .*a store that other processes share, and its secret/,
      );
  });
});
