import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import {
  eraseConversation,
  listSummaries,
  prepareSummary,
  SummarizationError,
  undoSummarization,
  type SummaryStore,
} from '../../src/index.ts';
import { faultyStrategy, witnessOf, type Witness } from '../chaos/faulty-strategy.ts';
import { quiet } from '../support/quiet.ts';
import { sealedText } from '../support/sealed-text.ts';
import { setUp } from '../support/set-up.ts';
import { secret, send, talk } from '../support/summarized-chat.ts';

/** Makes numbers from 0 to 1 that look random, the same from the same seed; "mulberry32" by T. Ettinger. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A process, as far as it can be seen to live. */
interface Process {
  readonly store: SummaryStore;
  readonly died: Promise<void>;
  readonly isDead: () => boolean;
  /** Whether none of its operations is under way. */
  readonly isIdle: () => boolean;
  /** Milliseconds that the longest of its operations took. */
  readonly longestOperation: () => number;
  /** Ends it at one of its next operations, which may still happen. */
  readonly endSoon: () => void;
}

/** Something that took its time. */
interface Span {
  readonly begun: number;
  ended: number;
}

/** A summary that was paid for, from when its call began. */
interface Bill extends Span {
  readonly process: Process;
  readonly witness: Witness;
  /** What was summarized. */
  readonly texts: string;
}

/** What a schedule came to: what is wrong, and how much happened. */
export interface ScheduleResult {
  readonly wrong: readonly string[];
  readonly bills: number;
  readonly erasures: number;
  readonly undone: number;
}

const processCount = 3;
const actionCount = 12;

/** Milliseconds for which an operation may take before a process, rightly, takes the store for silent: half of its limit. */
const stallMs = 1000;

/** Milliseconds after which something hangs. */
const longestMs = 60_000;

/** What is done, more often than not what there is more of. */
const actions = ['send', 'send', 'force', 'force', 'prepare', 'prepare', 'erase', 'undo'] as const;

/**
 * Lets processes save, prepare, put in place, undo and erase summaries of one conversation at random, some of which end
 * in the middle of it.
 */
export async function runSchedule(
  name: string,
  store: SummaryStore,
  seed: number,
): Promise<ScheduleResult> {
  const random = seeded(seed);
  const below = (end: number): number => Math.floor(random() * end);
  /** What was written, under the keys of it. */
  const keys = new Set<string>();
  const startedAt = performance.now();
  const now = (): number => performance.now() - startedAt;
  const hasId = random() < 0.5;
  const isArchived = random() < 0.5;
  const mayDie = random() < 0.3;
  const conversationId = hasId ? name : undefined;
  const state = { secret, namespace: name };
  const conversation = talk(60);
  let length = 9 + below(8);
  const messages = () => conversation.slice(0, length - (length % 2 === 0 ? 1 : 0));
  const given = () =>
    conversationId === undefined ? { messages: messages() } : { conversationId };

  /** When the call began that something is done for. */
  const calls = new AsyncLocalStorage<number>();
  const strategy = faultyStrategy();
  const bills: Bill[] = [];
  const erasures: Span[] = [];
  const undoings: Span[] = [];
  const undone = new Set<Witness>();
  const besideCalls: Promise<void>[] = [];

  const optionsOf = (process: Process) => ({
    ...state,
    contextLength: 2000,
    preserveRecent: 2,
    preserveRecentTokenRatio: 0,
    cooldownMessages: 0,
    minMessages: 4,
    maxWaitMs: 60_000,
    archive: isArchived,
    background: (work: Promise<void>) => {
      besideCalls.push(Promise.race([work, process.died]));
    },
    strategy: {
      ...strategy,
      summarize: async (input: Parameters<typeof strategy.summarize>[0]) => {
        const begun = calls.getStore() ?? now();
        await delay(below(10));
        if (process.isDead()) return new Promise<never>(() => {});
        const output = await strategy.summarize(input);
        const witness = strategy.witnesses.at(-1);
        if (witness === undefined) throw new Error('Nobody has witnessed it.');
        const texts = JSON.stringify(input.messages);
        bills.push({ process, witness, texts, begun, ended: now() });
        return output;
      },
    },
  });

  /** Does something, and remembers when it was begun and ended. */
  const timed = async (spans: Span[], work: () => Promise<unknown>): Promise<void> => {
    const span = { begun: now(), ended: Infinity };
    spans.push(span);
    await work();
    span.ended = now();
  };
  const newest = async (process: Process) =>
    (await listSummaries({ ...state, ...given(), store: process.store }))[0];
  const act = async (action: (typeof actions)[number], process: Process): Promise<void> => {
    const { store: own } = process;
    if (action === 'send' || action === 'force') {
      const { model } = setUp({ ...optionsOf(process), store: own });
      const said = messages();
      await send({ model }, said, { conversationId, ...(action === 'force' && { force: true }) });
    } else if (action === 'prepare') {
      const { inner } = setUp();
      const { namespace: _, ...options } = optionsOf(process);
      await prepareSummary({
        ...state,
        store: own,
        model: inner,
        messages: messages(),
        conversationId,
        options,
      });
    } else if (action === 'erase') {
      await timed(erasures, async () => eraseConversation({ ...state, ...given(), store: own }));
    } else {
      const record = await newest(process);
      if (record === undefined) return;
      const witness = witnessOf(record.record?.summary ?? '', strategy.witnesses);
      await timed(undoings, async () =>
        undoSummarization({ ...state, conversationId, store: own, record }),
      );
      if (witness !== undefined) undone.add(witness);
    }
  };
  /** What is refused, as there is nothing to be undone any more, or not confirmed, is no fault. */
  const tried = async (action: (typeof actions)[number], process: Process): Promise<void> => {
    try {
      await act(action, process);
    } catch (error) {
      const isRefused = SummarizationError.isInstance(error) || isOptionError(error);
      if (!isRefused && !process.isDead()) throw error;
    }
  };

  const begin = (): Process => {
    const process = makeProcess(store, random, keys);
    processes.push(process);
    return process;
  };
  const processes: Process[] = [];
  const running = Array.from({ length: processCount }, begin);
  let open: Promise<unknown>[] = [];
  for (let count = 0; count < actionCount; count += 1) {
    const at = below(processCount);
    let process = running[at];
    if (process === undefined || process.isDead()) process = running[at] = begin();
    const action = actions[below(actions.length)] ?? 'send';
    if (mayDie && random() < 0.15) process.endSoon();
    if (random() < 0.6) length += below(5);
    const work = calls.run(now(), async () => tried(action, process));
    open.push(Promise.race([work, process.died]));
    if (random() < 0.4) {
      await inTime(Promise.all(open));
      open = [];
    } else await delay(below(15));
  }
  await inTime(Promise.all(open));
  await inTime(Promise.all(besideCalls));
  // Operations that took too long are under way after their callers.
  for (let areIdle = false; !areIdle; areIdle = processes.every(({ isIdle }) => isIdle())) {
    await delay(1);
    await quiet();
  }

  const wrong: string[] = [];
  const isGone = (witness: Witness): boolean => {
    const bill = bills.find((each) => each.witness === witness);
    return (
      undone.has(witness) ||
      (bill !== undefined &&
        erasures.some(({ begun, ended }) => ended < Infinity && begun > bill.ended)) ||
      (witness.parent !== undefined && !undone.has(witness.parent) && isGone(witness.parent))
    );
  };
  for (const key of keys) {
    const value = await store.get(key);
    const text = typeof value === 'string' ? sealedText(value) : '';
    for (const [said] of text.matchAll(/\bS\d+\./g)) {
      const witness = witnessOf(said, strategy.witnesses);
      if (witness !== undefined && isGone(witness)) wrong.push(`${said} stands there: ${text}`);
    }
  }
  // On a machine that stands still meanwhile, a process may pay again: its store was silent.
  const isStalled = processes.some(({ longestOperation }) => longestOperation() >= stallMs);
  for (const [index, bill] of isStalled ? [] : bills.entries())
    for (const former of bills.slice(0, index))
      if (former.texts === bill.texts && !former.process.isDead()) {
        const isExcused = [...erasures, ...undoings].some(
          // A call that is begun while the conversation is being erased pays for what nobody keeps.
          ({ begun, ended }) => ended >= Math.min(former.begun, bill.begun) && begun <= bill.ended,
        );
        if (!isExcused) wrong.push(`Paid twice, at ${former.begun} and ${bill.begun} ms.`);
      }
  return { wrong, bills: bills.length, erasures: erasures.length, undone: undone.size };
}

const isOptionError = (error: unknown): boolean =>
  error instanceof Error && error.name === 'SummarizationOptionError';

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const late = delay(longestMs, undefined, { ref: false }).then((): never => {
    throw new Error('It hangs.');
  });
  return Promise.race([work, late]);
}

/** A process over a store that takes its time, and answers no more once the process has ended. */
function makeProcess(store: SummaryStore, random: () => number, keys: Set<string>): Process {
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  let left = Infinity;
  let isOver = false;
  let [open, longest] = [0, 0];
  const operation = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now();
    open += 1;
    try {
      return await timed(work);
    } finally {
      open -= 1;
      longest = Math.max(longest, performance.now() - startedAt);
    }
  };
  const timed = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await delay(Math.floor(random() * 4));
    left -= 1;
    if (left > 0) return work();
    // Its last one may be done, and nobody hears of it.
    if (left === 0 && random() < 0.5) await work();
    isOver = true;
    die();
    return new Promise<never>(() => {});
  };
  return {
    died,
    isDead: () => left <= 0,
    longestOperation: () => longest,
    isIdle: () => isOver || open === 0,
    endSoon: () => {
      left = Math.min(left, 1 + Math.floor(random() * 8));
    },
    store: {
      get: async (key) => operation(async () => store.get(key)),
      compareAndSet: async (key, entry) => {
        keys.add(key);
        return operation(async () => store.compareAndSet(key, entry));
      },
      delete: async (key) => operation(async () => store.delete(key)),
    },
  };
}
