import { generateText, type ModelMessage, streamText } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  eraseConversation,
  explainSummarization,
  listSummaries,
  memoryStore,
  type SummarizationOptions,
  undoSummarization,
} from '../../src/index.ts';
import { chat } from '../support/messages.ts';
import { chatModel, summarizerModel } from '../support/models.ts';
import { lastPrompt, promptsOf, summaryOf } from '../support/prompts.ts';
import { force, recordOf, type SetUp, setUp } from '../support/set-up.ts';
import { dyingAfter, sharedStore } from '../support/shared-store.ts';
import { until } from '../support/until.ts';
import { settled, stopTime } from '../support/virtual-time.ts';
import { reasons, summarizerThat } from '../support/waiting.ts';

const secret = 'a secret of the operator';

/** A chat of less than `resetTokenRatio`, of less than the trigger, of more, and as it goes on. */
const below = chat(13);
const soon = chat(15);
const due = chat(17);
const later = chat(19);

/** A wrapped model and what goes on beside its calls. */
interface Background extends SetUp {
  /** Waits until all of it has ended. */
  readonly ended: () => Promise<void>;
  /** How often something was to be kept alive. */
  readonly works: readonly Promise<void>[];
}

function inBackground(
  options: SummarizationOptions = {},
  models: Parameters<typeof setUp>[1] = {},
): Background {
  const works: Promise<void>[] = [];
  const background = (work: Promise<void>): void => void works.push(work);
  const made = setUp({ contextLength: 1050, background, secret, ...options }, models);
  const ended = async (): Promise<void> => {
    for (let count = 0; count < works.length; count = works.length) await Promise.all(works);
  };
  return { ...made, works, ended };
}

/** Sends calls one after another, and waits for what goes on beside each. */
async function send(
  made: Background,
  ...histories: readonly (readonly ModelMessage[])[]
): Promise<void> {
  for (const messages of histories) {
    await generateText({ model: made.model, messages: [...messages] });
    await made.ended();
  }
}

/** A summarizing model that answers when it is told to. */
function gatedSummarizer() {
  const { promise, resolve: open } = Promise.withResolvers<void>();
  return { summarizer: summarizerThat(() => promise), open };
}

/** A conversation whose summary is prepared, in a store that others share. */
async function prepared() {
  const { open } = sharedStore();
  const store = open();
  const made = inBackground({ store });
  await send(made, soon);
  return { open, store, made };
}

/** One whose model takes more, so that nothing is ever due. */
const roomy = { contextLength: 100_000, background: false };

const asked = ({ summarizer }: SetUp): number => summarizer.doGenerateCalls.length;
const isSummarized = ({ inner }: SetUp): boolean => summaryOf(lastPrompt(inner)) !== undefined;
afterEach(() => {
  vi.useRealTimers();
});

describe('a summary that is prepared', () => {
  it('is begun at resetTokenRatio, and stands in the prompt from the trigger on', async () => {
    const made = inBackground();
    await send(made, below);
    expect(asked(made)).toBe(0);
    await send(made, soon, soon, chat(16));
    expect(asked(made)).toBe(1);
    expect(promptsOf(made.inner).map((prompt) => prompt.length)).toEqual([13, 15, 15, 16]);
    await send(made, due);
    const inPlace = lastPrompt(made.inner);
    expect(summaryOf(inPlace)).toContain('rivers');
    await send(made, later);
    expect(lastPrompt(made.inner).slice(0, inPlace.length)).toEqual(inPlace);
    expect(asked(made)).toBe(1);
    expect(reasons(made, 'end')).toEqual(['ahead']);
  });

  it('begins about two turns before it is due, however far the target is', async () => {
    const chats = inBackground({ contextLength: 6000 });
    const lengths: number[] = [];
    for (let length = 61; length < 121 && lengths.length < 2; length += 2) {
      await send(chats, chat(length));
      const isNext = lengths.length === 0 ? asked(chats) > 0 : isSummarized(chats);
      if (isNext) lengths.push(length);
    }
    const [beginning = 0, end = 0] = lengths;
    expect(asked(chats)).toBe(1);
    expect(end - beginning).toBeGreaterThan(0);
    expect(end - beginning).toBeLessThanOrEqual(6);
  });

  it('keeps no call waiting', async () => {
    const { summarizer, open } = gatedSummarizer();
    const made = inBackground({}, { summarizer });
    for (const messages of [soon, due, later]) await generateText({ model: made.model, messages });
    expect(isSummarized(made)).toBe(false);
    await until(() => asked(made) > 0);
    open();
    await made.ended();
    await send(made, later);
    expect(isSummarized(made)).toBe(true);
    expect(asked(made)).toBe(1);
  });

  it('is begun when a stream has begun, and kept alive from before that', async () => {
    const { promise: begins, resolve: begin } = Promise.withResolvers<void>();
    const streamed = chatModel();
    const inner = new MockLanguageModelV4({
      provider: 'openai.responses',
      modelId: 'gpt-test',
      doStream: async (options) => {
        await begins;
        return streamed.doStream(options);
      },
    });
    const made = inBackground({}, { inner });
    const { text } = streamText({ model: made.model, messages: soon });
    await until(() => inner.doStreamCalls.length === 1);
    expect(made.works).toHaveLength(1);
    expect(reasons(made, 'start')).toEqual([]);
    begin();
    expect(await text).toBe('Understood.');
    await made.ended();
    expect(asked(made)).toBe(1);
  });

  it('is followed by another one where it is not enough when it is due', async () => {
    const made = inBackground();
    await send(made, soon, chat(29));
    expect(isSummarized(made)).toBe(true);
    expect(asked(made)).toBe(2);
    expect(reasons(made, 'start')).toEqual(['ahead', 'token-ratio']);
    await send(made, chat(29));
    expect(asked(made)).toBe(2);
    expect(made.events).toContainEqual(expect.objectContaining({ type: 'applied', depth: 1 }));
  });

  it.each<[string, SummarizationOptions, number, ...(readonly ModelMessage[])[]]>([
    ['for a prompt of few messages', { contextLength: 750 }, 0, chat(11)],
    ['soon after another one', { cooldownMessages: 8 }, 1, due, due, chat(20), chat(22)],
    ['where that is switched off', { background: false }, 0, soon],
    ['where all is switched off', { enabled: false }, 0, soon],
    ['where no strategy writes', { strategy: 'none' }, 0, soon],
  ])('is not made %s', async (_where, options, bill, ...histories) => {
    const made = inBackground(options);
    await send(made, ...histories);
    expect(asked(made)).toBe(bill);
  });
});

describe('processes that share a store', () => {
  it('put in place what another one has prepared since the store was last asked', async () => {
    const { open } = sharedStore();
    const [one, other] = [inBackground({ store: open() }), inBackground({ store: open() })];
    // It knows that there is nothing, and asks again only before it pays.
    await send(other, chat(14));
    await send(one, soon);
    await generateText({ model: other.model, messages: chat(25) });
    expect(summaryOf(lastPrompt(other.inner))).toContain('rivers');
    expect(lastPrompt(other.inner).length).toBeLessThan(20);
    expect(asked(one) + asked(other)).toBe(1);
  });

  it('pay once where they prepare at the same time', async () => {
    const { open } = sharedStore();
    const processes = [1, 2, 3].map(() => inBackground({ store: open() }));
    await Promise.all(processes.map(async (each) => send(each, soon)));
    await Promise.all(processes.map(async (each) => send(each, due)));
    const bills = processes.map(asked);
    expect(bills.reduce((total, each) => total + each, 0)).toBe(1);
    expect(processes.map(isSummarized)).toEqual([true, true, true]);
    expect(new Set(processes.map(({ inner }) => JSON.stringify(lastPrompt(inner)))).size).toBe(1);
  });

  it('do not put it in place before it is due, and all do once one has', async () => {
    const { open, made: first } = await prepared();
    const before = inBackground({ store: open(), ...roomy });
    await send(before, due);
    expect(isSummarized(before)).toBe(false);
    await send(first, due);
    const after = inBackground({ store: open(), ...roomy });
    await send(after, later);
    expect(isSummarized(after)).toBe(true);
  });

  it('find it in its place once a call has waited for it', async () => {
    const { open } = sharedStore();
    const { summarizer, open: answerNow } = gatedSummarizer();
    const made = inBackground({ store: open() }, { summarizer });
    await generateText({ model: made.model, messages: soon });
    await until(() => asked(made) === 1);
    // It does not fit.
    const waits = generateText({ model: made.model, messages: chat(21) });
    await until(() => made.events.some(({ type }) => type === 'waiting'));
    answerNow();
    await waits;
    await made.ended();
    expect(isSummarized(made)).toBe(true);
    expect(asked(made)).toBe(1);
    const other = inBackground({ store: open(), ...roomy });
    await send(other, chat(21));
    expect(isSummarized(other)).toBe(true);
  });
});

describe('who was asked for something', () => {
  it('explainSummarization names it, and puts nothing in place', async () => {
    const { store, made } = await prepared();
    const options = { contextLength: 1050, background: true, secret, store };
    const explain = async (messages: readonly ModelMessage[]) =>
      explainSummarization({ model: made.inner, messages, options });
    const waiting = await explain(soon);
    expect(waiting).toMatchObject({ act: 'none', prepared: { depth: 0, coveredMessages: 13 } });
    expect(waiting.applied).toBeUndefined();
    const inPlace = await explain(due);
    expect(inPlace).toMatchObject({ act: 'none', applied: waiting.prepared });
    expect(await explain(soon)).toEqual(waiting);
  });

  it('listSummaries names it once it is in place', async () => {
    const { store, made } = await prepared();
    expect(await listSummaries({ store, secret, messages: soon })).toEqual([]);
    await send(made, due);
    expect(await listSummaries({ store, secret, messages: due })).toHaveLength(1);
  });

  it('undoing it leaves the prompt as it is', async () => {
    const { store, made } = await prepared();
    const result = await undoSummarization({ store, secret, record: recordOf(made) });
    expect(result.record).toBeUndefined();
    await send(made, due);
    expect(isSummarized(made)).toBe(false);
  });

  it('erasing the conversation takes it away', async () => {
    const { open, store } = await prepared();
    expect(await eraseConversation({ store, secret, messages: soon })).toMatchObject({
      records: 1,
    });
    const other = inBackground({ store: open() });
    await send(other, due, due);
    expect(asked(other)).toBe(1);
  });

  it('force puts it in place, and is content with it', async () => {
    const made = inBackground();
    await send(made, soon);
    await force(made, soon);
    expect(isSummarized(made)).toBe(true);
    expect(asked(made)).toBe(1);
  });

  it.each([
    ['an index', { force: { upTo: 4 } }],
    ['instructions', { force: true, instructions: 'Focus on the stones.' }],
  ])('force with %s makes another one', async (_name, summarization) => {
    const made = inBackground({ maxWaitMs: 10_000 });
    await send(made, soon);
    await force(made, chat(16), summarization);
    expect(asked(made)).toBe(2);
    expect(isSummarized(made)).toBe(true);
  });

  it('onBeforeSummarize is asked when it is prepared, and not when it is put in place', async () => {
    const seen: string[] = [];
    const onBeforeSummarize = ({ reason }: { reason: string }): boolean => {
      seen.push(reason);
      return seen.length > 1;
    };
    const made = inBackground({ onBeforeSummarize });
    await send(made, soon);
    expect(asked(made)).toBe(0);
    await send(made, soon, due);
    expect(seen).toEqual(['ahead', 'ahead']);
    expect(asked(made)).toBe(1);
    expect(isSummarized(made)).toBe(true);
  });
});

describe('a summary that cannot be prepared', () => {
  it('is not written by the fallback, nor tried again with each message', async () => {
    const made = inBackground({}, { summarizer: summarizerModel('I cannot.') });
    await send(made, soon, chat(16), soon);
    expect(reasons(made, 'failed')).toEqual(['invalid-output']);
    expect(made.events.filter(({ type }) => type === 'end')).toEqual([]);
    await send(made, due, due);
    expect(isSummarized(made)).toBe(true);
    expect(made.events).toContainEqual(expect.objectContaining({ type: 'end', degraded: true }));
  });

  it('is not lost with the request that began it', async () => {
    const controller = new AbortController();
    const { summarizer, open } = gatedSummarizer();
    const hangs = new MockLanguageModelV4({
      doGenerate: async ({ abortSignal }) =>
        new Promise((_, reject) => {
          abortSignal?.addEventListener('abort', () => reject(new Error('The user left.')));
        }),
    });
    const store = memoryStore();
    const made = inBackground({ store }, { summarizer, inner: hangs });
    const { signal: abortSignal } = controller;
    const call = generateText({ model: made.model, messages: soon, abortSignal });
    await until(() => asked(made) === 1);
    controller.abort();
    await expect(call).rejects.toThrow('The user left.');
    open();
    await made.ended();
    const next = inBackground({ store }, { summarizer });
    await send(next, due);
    expect(isSummarized(next)).toBe(true);
    expect(summarizer.doGenerateCalls).toHaveLength(1);
  });
});

it('a process that is killed beside an answer harms nothing, wherever that was', async () => {
  await stopTime();
  let isOver = false;
  let bills = 0;
  for (let operations = 0; !isOver; operations += 1) {
    const { open } = sharedStore();
    const dying = dyingAfter(operations);
    const first = inBackground({ store: open(dying.change) });
    for (const messages of [soon, due])
      await settled(Promise.race([send(first, messages), dying.died]));
    isOver = !dying.isDead();
    const second = inBackground({ store: open() });
    await settled(send(second, soon, due, due));
    expect(asked(first) + asked(second)).toBeLessThanOrEqual(2);
    expect(isSummarized(second)).toBe(true);
    bills = asked(second);
  }
  expect(bills).toBe(0);
});
