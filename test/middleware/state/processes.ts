import { generateText, type ModelMessage } from 'ai';
import { afterEach, beforeEach, vi } from 'vitest';
import type { SummarizationOptions, SummaryStore } from '../../../src/index.ts';
import { chat } from '../../support/messages.ts';
import { sealedText } from '../../support/sealed-text.ts';
import { sharedStore, type SharedStore } from '../../support/shared-store.ts';
import { lastPrompt } from '../../support/prompts.ts';
import { answer, summarizerModel } from '../../support/models.ts';
import { setUp, type SetUp } from '../../support/set-up.ts';
import { isWorkingElsewhere, quiet } from '../../support/quiet.ts';
import { turns } from '../../support/until.ts';

export const secret = 'a secret of the operator';

/** Milliseconds that no clock of a test comes to: no call goes on without its summary. */
const noTime = 1_000_000_000;

/** A process with the summaries that it and others pay, each with words of its own. */
export interface Process extends SetUp {
  /** Sends a conversation, on fresh objects; returns the prompt that reached the model. */
  readonly send: (
    messages: readonly ModelMessage[],
    own?: Readonly<Record<string, string | boolean>>,
  ) => Promise<string>;
}

/** Starts processes that count what they pay together. */
export function processes(): {
  readonly start: (store: SummaryStore, options?: SummarizationOptions) => Process;
  readonly paid: () => number;
} {
  let paid = 0;
  const start = (store: SummaryStore, options: SummarizationOptions = {}): Process => {
    const summarizer = summarizerModel(() => answer({ summary: `Summary ${(paid += 1)}.` }));
    const patient = { maxWaitMs: noTime, summaryTimeoutMs: noTime };
    const made = setUp({ store, secret, ...patient, ...options }, { summarizer });
    const send: Process['send'] = async (messages, own) => {
      const call = generateText({
        model: made.model,
        messages: structuredClone([...messages]),
        ...(own === undefined ? {} : { providerOptions: { summarization: own } }),
      });
      await settled(call);
      return JSON.stringify(lastPrompt(made.inner));
    };
    return { ...made, send };
  };
  return { start, paid: () => paid };
}

/** Fakes the clock once everything is loaded; what waits for it waits until the test lets it go on. */
export async function fakeClock(): Promise<void> {
  const { start } = processes();
  const store = sharedStore();
  if (!isLoaded)
    for (const { send } of [start(store.open()), start(store.open())]) await send(chat(19));
  isLoaded = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
}

/** Has the clock faked for each test of a file. */
export function withFakeClock(): void {
  beforeEach(fakeClock);
  afterEach(() => {
    vi.useRealTimers();
  });
}

/** All that a store holds, as whoever can read it sees it. */
export function textsIn({ entries }: SharedStore): readonly string[] {
  return [...entries.values()].map(({ value }) => sealedText(value));
}

/** Has writes wait: `change` for the store of a process, whether one waits, and what lets it go on. */
export function gateAt(isHeld: (text: string) => boolean): {
  readonly gate: { isReached: boolean; readonly open: () => void };
  readonly change: (plain: SummaryStore) => Partial<SummaryStore>;
} {
  const open = Promise.withResolvers<void>();
  const gate = { isReached: false, open: open.resolve };
  const hold = async <Result>(text: string, work: () => Promise<Result>): Promise<Result> => {
    if (isHeld(text)) {
      gate.isReached = true;
      await open.promise;
    }
    return work();
  };
  const change = ({ compareAndSet, delete: remove }: SummaryStore): Partial<SummaryStore> => ({
    compareAndSet: async (key, entry) =>
      hold(sealedText(entry.value), async () => compareAndSet(key, entry)),
    delete: async (key) => hold('', async () => remove(key)),
  });
  return { gate, change };
}

/** Lets time pass while work waits for a store, or for another look at it. */
export async function settled<Result>(work: Promise<Result>): Promise<Result> {
  const progress = { isSettled: false };
  const ended = work.finally(() => (progress.isSettled = true));
  ended.catch(() => {});
  for (let silent = 1; !progress.isSettled; silent += 1) {
    await turns(1);
    // What other threads work at takes no time of a clock that stands.
    if (!vi.isFakeTimers() || isWorkingElsewhere()) continue;
    if (silent % 1000 === 0) vi.advanceTimersByTime(100);
  }
  return ended;
}

let isLoaded = false;

/** Lets the time of a refresh come, and what a call began beside it end. */
export async function refreshTime(): Promise<void> {
  vi.advanceTimersByTime(5001);
  await quiet();
}
