import {
  eraseConversation,
  listSummaries,
  prepareSummary,
  SummarizationError,
  SummarizationOptionError,
  undoSummarization,
  type SummarizationOptions,
} from '../../src/index.ts';
import type { Budget } from './steps.ts';
import { secret, talk, type World } from './world.ts';

/** Something that is done by an actor in a process. */
export interface Part {
  readonly process: number;
  readonly work: (world: World) => Promise<unknown>;
  /** Milliseconds after which it begins. */
  readonly afterMs?: number;
}

/** Who shares a store, and what they do at once. */
export interface Scenario {
  readonly name: string;
  readonly options?: SummarizationOptions;
  /** What happened before, one after the other, in process 0. */
  readonly before?: (world: World) => Promise<unknown>;
  readonly parts: readonly Part[];
  /** Summaries that they may pay for, where nothing fails. */
  readonly bills: number;
  /** @default 0 */
  readonly leastBills?: number;
  /** Virtual milliseconds that a call may wait, whatever happens. */
  readonly mostWaitMs?: number;
  readonly budget: Budget;
  /** Whose conversation is sent again afterwards, from another process, which is to pay for nothing. */
  readonly after?: Part['work'];
}

const talked = talk(15);
const further = talk(19);
/** More than the model takes. */
const larger = talk(23);
const longer = talk(29);
/** The same until its sixth message. */
const edited = talk(15, 6);

const sends = (process: number, messages = talked, sending = {}): Part => ({
  process,
  work: async (world) => world.send(process, messages, sending),
});

const prepares = (process: number, messages = talked): Part => ({
  process,
  work: async (world) =>
    prepareSummary({
      model: world.modelOf(),
      messages: [...messages],
      store: world.storeOf(process),
      secret,
      options: world.optionsOf(process),
    }),
});

/** Undoes the newest summary that the process knows before it begins. */
const undoes = (process: number): Part => ({
  process,
  work: async (world) => {
    const state = { store: world.storeOf(process), secret, messages: [...talked] };
    const [record] = world.newest;
    if (record === undefined) throw new Error('There is nothing to be undone.');
    try {
      await undoSummarization({ ...state, record });
      const bill = world.billOf(record.record?.summary ?? '');
      if (bill !== undefined) world.gone.add(bill);
    } catch (error) {
      // Continued meanwhile, or not confirmed.
      if (!SummarizationOptionError.isInstance(error) && !SummarizationError.isInstance(error))
        throw error;
    }
  },
});

const erases = (process: number): Part => ({
  process,
  work: async (world) => {
    const before = [...world.bills];
    try {
      await eraseConversation({ store: world.storeOf(process), secret, messages: [...longer] });
      for (const bill of before) world.gone.add(bill);
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
    }
  },
});

/** A first summary, of which the next one is due with the longer conversation. */
const summarized = async (world: World): Promise<void> => {
  await world.send(0, talked);
  world.newest = await listSummaries({ store: world.storeOf(0), secret, messages: [...talked] });
};

/** Milliseconds after which who comes takes work for dead that gives no sign of life. */
const laterMs = 12_000;

const two: Budget = { preemptions: 3, besideFault: 1 };
const three: Budget = { preemptions: 2 };

/** What is explored. */
export const scenarios: readonly Scenario[] = [
  {
    name: 'two calls in two processes',
    parts: [sends(0), sends(1)],
    bills: 1,
    budget: two,
    after: sends(9).work,
  },
  {
    name: 'two calls in one process',
    parts: [sends(0), sends(0)],
    bills: 1,
    budget: two,
    after: sends(9).work,
  },
  {
    name: 'two calls in one process, one in another',
    parts: [sends(0), sends(0), sends(1)],
    bills: 1,
    budget: three,
  },
  {
    name: 'three processes',
    parts: [sends(0), sends(1), sends(2)],
    bills: 1,
    budget: three,
  },
  {
    name: 'a call that is four messages further',
    // What the one covers the other one can go on from.
    options: { preserveRecent: 6 },
    parts: [sends(0), sends(1, further)],
    bills: 1,
    budget: two,
    after: sends(9, further).work,
  },
  {
    name: 'two calls that continue a summary',
    before: summarized,
    parts: [sends(1, longer), sends(2, longer)],
    bills: 1,
    budget: two,
    after: sends(9, longer).work,
  },
  {
    name: 'an edit',
    parts: [sends(0), sends(1, edited)],
    bills: 2,
    budget: two,
    after: async (world) => {
      await sends(9).work(world);
      await sends(9, edited).work(world);
    },
  },
  {
    name: 'a call and the undoing of what it continues',
    before: summarized,
    parts: [sends(1, longer), undoes(2)],
    bills: 2,
    budget: two,
  },
  {
    name: 'a call and an erasure',
    before: summarized,
    parts: [sends(1, longer), erases(2)],
    bills: 2,
    budget: two,
  },
  {
    name: 'an undoing, a call and a third process',
    before: summarized,
    parts: [sends(1, longer), undoes(2), sends(3, longer)],
    bills: 2,
    budget: three,
  },
  {
    name: 'a first call and an erasure',
    parts: [sends(1), erases(2)],
    bills: 1,
    budget: two,
  },
  {
    name: 'a call with an archive and an erasure',
    options: { archive: true },
    before: summarized,
    parts: [sends(1, longer), erases(2)],
    bills: 1,
    budget: { preemptions: 2, besideFault: 0 },
  },
  {
    name: 'a preparation and a forced call',
    parts: [prepares(0), sends(1, talked, { force: true })],
    bills: 1,
    budget: two,
    after: sends(9).work,
  },
  {
    name: 'a preparation and a forced call in one process',
    parts: [prepares(0), sends(0, talked, { force: true })],
    bills: 1,
    budget: two,
    after: sends(9).work,
  },
  {
    name: 'a preparation and a call that continue a summary',
    options: { preserveRecent: 6 },
    before: summarized,
    parts: [prepares(1, longer), sends(2, talk(31))],
    bills: 1,
    budget: two,
    after: sends(9, talk(31)).work,
  },
  {
    name: 'two calls that do not fit',
    parts: [sends(0, larger), sends(1, larger)],
    bills: 1,
    budget: two,
    after: sends(9, larger).work,
  },
  {
    name: 'two calls with an id, one of which sends the end of it',
    options: { minMessages: 12 },
    before: async (world) => world.send(0, talked, { conversationId: 'chat' }),
    parts: [
      sends(1, further, { conversationId: 'chat', from: 8 }),
      sends(2, talked, { conversationId: 'chat', from: 8 }),
    ],
    bills: 0,
    budget: two,
  },
  {
    name: 'a window of what is covered',
    before: async (world) => world.send(0, talked, { conversationId: 'chat' }),
    parts: [
      sends(1, talked.slice(4, 13), { conversationId: 'chat', force: true }),
      sends(2, further, { conversationId: 'chat', from: 8 }),
    ],
    bills: 1,
    leastBills: 1,
    budget: two,
  },
  {
    name: 'a call to order behind one that ends',
    parts: [
      sends(0),
      { ...sends(0, talked, { force: true, instructions: 'Look to it.' }), afterMs: laterMs },
    ],
    bills: 2,
    mostWaitMs: 3500,
    budget: { preemptions: 0, besideFault: 0 },
  },
];
