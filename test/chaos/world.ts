import { AsyncLocalStorage } from 'node:async_hooks';
import { getEventListeners } from 'node:events';
import { wrapLanguageModel } from 'ai';
import {
  eraseConversation,
  listSummaries,
  SummarizationError,
  summarizationMiddleware,
  type SummarizationEvent,
  type SummarizationOptions,
  type Message,
} from '../../src/index.ts';
import type { CallOptions } from '../support/prompt-types.ts';
import { deepFreeze } from '../properties/rig/deep-freeze.ts';
import { changed, type Change } from '../properties/generators/history-plan.ts';
import type { TracePlan } from '../properties/generators/trace-plan.ts';
import { countingProvider, type Counting, type Received } from '../support/counting-provider.ts';
import { sharedStore } from '../support/shared-store.ts';
import { turns } from '../support/until.ts';
import { firstTexts, identified, write, type Client, type Written } from './client.ts';
import { faultyStore, type FaultyStore, type StoreFault } from './faulty-store.ts';
import { faultyStrategy, type FaultyStrategy } from './faulty-strategy.ts';
import { optionSets, providerIds, type Operation, type Sending } from './operation.ts';
import type { Plant } from './planted-defects.ts';
import { settled, still } from '../support/virtual-time.ts';

/** What a world begins with. */
export interface WorldPlan {
  readonly start: TracePlan;
  readonly contextLength: number;
  readonly counting: Counting;
  /** Options of each process. */
  readonly options: readonly number[];
  /** Whether clients say which conversation is theirs. */
  readonly hasIds: boolean;
}

/** A call, from both ends. */
export interface Call {
  readonly process: Process;
  /** What its process knows, until that ends. */
  readonly ownKnown: Process['known'];
  readonly client: Client;
  readonly sending: Sending;
  readonly written: Written;
  readonly given: CallOptions;
  /** The records that its process knew when it came. */
  readonly known: readonly Known[];
  /** How often its conversation had been erased when it came. */
  readonly erasures: number;
  /** Whether it was erased while the call was on its way. */
  isErased: boolean;
  /** The erasures that its process had heard of. */
  readonly heard: readonly Erasure[];
  /** Whether its process shares its store without a fault, since it has begun. */
  readonly isHealthy: boolean;
  readonly received: Received[];
  readonly events: SummarizationEvent[];
  /** Messages that a strategy was asked to summarize, each time. */
  readonly paid: (readonly Message[])[];
  error?: unknown;
  isAborted: boolean;
  /** Virtual milliseconds until it ended, and from its abort until then. */
  elapsedMs: number;
  sinceAbortMs: number | undefined;
  /** Listeners left on its signal. */
  listeners: number;
}

/** An instance of an application. */
export interface Process {
  store: FaultyStore;
  options: SummarizationOptions;
  /** What each record that it has made or sent stands for; another map once it is started anew. */
  known: Map<string, Known>;
  /**
   * Scopes of which its store has not confirmed an erasure: it says so later, and takes along what anybody has made
   * meanwhile. Whoever makes it may have begun before.
   */
  readonly unsure: Set<string>;
}

/** A record as those outside know it. */
export interface Known {
  readonly scope: string;
  readonly texts: readonly string[];
}

/** What was erased, and how many summaries had been begun by then. */
export interface Erasure extends Known {
  readonly witnesses: number;
  /** The texts of the summaries that the store has of it. */
  readonly stored: () => Promise<readonly string[]>;
}

/** Everything there is. */
export interface World {
  readonly plan: WorldPlan;
  readonly strategy: FaultyStrategy;
  /** What each record stands for. */
  readonly records: ReadonlyMap<string, readonly string[]>;
  /** What the store said to be gone. */
  readonly erasures: readonly Erasure[];
  /** What identifies a message that was sent. */
  readonly textOf: (message: Message) => string | undefined;
  /** Lets something happen; returns the calls that were made. */
  readonly perform: (operation: Operation) => Promise<readonly Call[]>;
}

/** Worlds of this process: what is learned of a model lives as long as that does, so each has models of its own. */
let worlds = 0;

export const secret = 'a secret for the tests';
export const abortReason: Error = new Error('The user closed the tab.');

/** Whose state a call is about. */
export function scopeOf({ tenant, conversationId = '' }: Client): string {
  return `${tenant}/${conversationId}`;
}

const tools: NonNullable<CallOptions['tools']> = [
  {
    type: 'function',
    name: 'read_file',
    description: 'Reads a file of the project and gives its text.',
    inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
  },
];

/** With these faults a store does not say truly what stands in it. */
const readsWrongly: ReadonlySet<StoreFault> = new Set([
  'garbles',
  'cuts off',
  'answers null',
  'answers objects',
  'answers of other keys',
  'is stale',
]);

/** Makes a world, with a defect to check those who check. */
export function makeWorld(plan: WorldPlan, plant: Plant = {}): World {
  // Named as OpenAI's own are: behind its package, the summary goes into other templates otherwise.
  const modelId = `gpt-test-${(worlds += 1)}`;
  const shared = sharedStore();
  const witness = faultyStrategy();
  const calls = new AsyncLocalStorage<Call>();
  const records = new Map<string, readonly string[]>();
  const texts = new WeakMap<Message, string>();
  let seeds = 1000;
  const next = (): number => (seeds += 1);

  const strategy: FaultyStrategy = Object.assign(witness, {
    summarize: observed(witness.summarize),
  });
  function observed(summarize: FaultyStrategy['summarize']): FaultyStrategy['summarize'] {
    return async (input) => {
      calls.getStore()?.paid.push(input.messages);
      return summarize(input);
    };
  }

  const clients: Client[] = Array.from({ length: 3 }, (_, index) => ({
    tenant: index < 2 ? 'one' : 'two',
    conversationId: plan.hasIds ? `chat ${index}` : undefined,
    provider: providerIds[0],
    hasTools: false,
    state: plan.start,
    former: [],
  }));
  /** Erasures, the keys that they changed, and those of them that a process has not read since. */
  const erased: {
    readonly erasure: Erasure;
    readonly keys: readonly string[];
    readonly unread: Map<FaultyStore, Set<string>>;
  }[] = [];
  const openStore = (): FaultyStore => {
    const store = faultyStore(shared, (key) => {
      for (const { unread } of erased) unread.get(store)?.delete(key);
    });
    return store;
  };
  const open = (options: number): Process => ({
    store: openStore(),
    options: optionSets[options] ?? {},
    known: new Map(),
    unsure: new Set(),
  });
  const processes = plan.options.map(open);
  const at = <Item>(list: readonly Item[], index: number): Item => {
    const item = list[index % list.length];
    if (item === undefined) throw new Error('A world is not empty.');
    return item;
  };

  const modelOf = (process: Process, client: Client) => {
    const middleware = summarizationMiddleware({
      contextLength: plan.contextLength,
      providers: { lmstudio: { tokenMultiplier: 1 } },
      strategy,
      store: plant.forgets === true ? { ...process.store } : process.store,
      secret,
      ...process.options,
      onEvent: (event) => {
        const call = calls.getStore();
        call?.events.push(event);
        if (call !== undefined) remember(call, event);
      },
    });
    const { provider } = client;
    const { contextLength, counting } = plan;
    const { model: inner } = countingProvider(
      counting,
      { provider, modelId, contextLength },
      (received) => calls.getStore()?.received.push(received),
    );
    return wrapLanguageModel({
      model: inner,
      middleware: plant.middleware === undefined ? middleware : [middleware, plant.middleware],
    });
  };
  /** Records that were erased, and those that continue them: they contain what was erased. */
  const erasedIds = new Set<string>();
  const parents = new Map<string, string>();
  /** How often conversations were erased, by their scopes. */
  const erasures = new Map<string, number>();
  const erasuresOf = (client: Client): number => erasures.get(scopeOf(client)) ?? 0;
  const remember = (call: Call, event: SummarizationEvent): void => {
    const { process, client, written } = call;
    // A record that continues one of what the client has deleted since stands for more than is there.
    if (event.type === 'end' && written.from === 0)
      records.set(event.record.id, firstTexts(written, event.coveredMessages));
    if (event.type === 'end') {
      const { id, parentId = '' } = event.record;
      parents.set(id, parentId);
      // What was begun before an erasure is erased as well.
      const isLate = call.erasures !== erasuresOf(client);
      if (isLate || erasedIds.has(parentId)) erasedIds.add(id);
    }
    if (event.type !== 'applied' && event.type !== 'end') return;
    // What was cut for one call to fit bears the id of a record of the same messages, and is stored nowhere.
    const isCutToFit = call.events.some(({ type }) => type === 'recovered');
    if (event.type === 'applied' && event.degraded && isCutToFit) return;
    const id = event.type === 'applied' ? event.recordId : event.record.id;
    // It may leave with what it stands on, and is paid anew.
    const isUnsure = processes.some(({ unsure }) => unsure.has(scopeOf(client)));
    if (erasedIds.has(id) || isUnsure) return;
    // Where an erasure before it could not be read, it counts as erased once that can be: that is the safe side.
    const isUnread = erased.some(
      ({ erasure, unread }) =>
        erasure.scope === scopeOf(client) && unread.get(process.store)?.size !== 0,
    );
    if (isUnread || (call.erasures > 0 && readsWrongly.has(process.store.fault))) return;
    const covered = records.get(id);
    if (covered !== undefined) call.ownKnown.set(id, { scope: scopeOf(client), texts: covered });
  };

  const send = async (client: Client, sending: Sending): Promise<Call> => {
    const process = at(processes, sending.process);
    const window = client.conversationId === undefined ? undefined : sending.window;
    const written = write(client.state, { ...sending, window });
    for (const [message, text] of identified(written)) texts.set(message, text);
    client.former.push(client.state);
    const controller = new AbortController();
    const given: CallOptions = {
      prompt: deepFreeze(written.trace.prompt),
      abortSignal: controller.signal,
      ...(client.hasTools ? { tools } : {}),
      providerOptions: {
        summarization: {
          namespace: plant.mixesTenants === true ? 'all' : client.tenant,
          ...(client.conversationId === undefined ? {} : { conversationId: client.conversationId }),
          ...(sending.force === 'no' ? {} : { force: true }),
          ...(sending.force === 'to order' ? { instructions: 'Look to the files.' } : {}),
        },
      },
    };
    const call: Call = {
      process,
      ownKnown: process.known,
      client: { ...client },
      sending: { ...sending, window },
      written,
      given,
      known: [...process.known.values()],
      erasures: erasuresOf(client),
      heard: erased.flatMap(({ erasure, unread }) =>
        unread.get(process.store)?.size === 0 ? erasure : [],
      ),
      isHealthy: !process.store.wasFaulty,
      received: [],
      events: [],
      paid: [],
      isErased: false,
      isAborted: false,
      elapsedMs: 0,
      sinceAbortMs: undefined,
      listeners: 0,
    };
    const model = modelOf(process, client);
    const startedAt = performance.now();
    let abortedAt: number | undefined;
    const abort = async (): Promise<void> => {
      if (sending.abortAfter === undefined) return;
      if (sending.abortAfter > 0) await turns(sending.abortAfter);
      abortedAt = performance.now();
      call.isAborted = true;
      controller.abort(abortReason);
    };
    const answered = async (): Promise<void> => {
      if (!sending.streams) return void (await model.doGenerate(given));
      const { stream } = await model.doStream(given);
      for await (const part of stream) if (part.type === 'error') throw part.error;
    };
    void abort();
    try {
      await calls.run(call, answered);
    } catch (error) {
      call.error = error;
    }
    call.elapsedMs = performance.now() - startedAt;
    call.sinceAbortMs = abortedAt === undefined ? undefined : performance.now() - abortedAt;
    call.listeners = getEventListeners(controller.signal, 'abort').length;
    return call;
  };

  const erase = async (client: Client, process: Process): Promise<void> => {
    const { trace, texts: said } = write(client.state, { noise: 'none', window: undefined });
    const { tenant: namespace, conversationId } = client;
    const whose = conversationId === undefined ? { messages: trace.prompt } : { conversationId };
    const scope = scopeOf(client);
    erasures.set(scope, erasuresOf(client) + 1);
    // Who asks for it does not want it used again, even where the store does not confirm that it is gone.
    for (const { known } of processes)
      for (const [id, { scope: of }] of known) if (of === scope) known.delete(id);
    for (const [id, covered] of records)
      if (covered.every((text, index) => text === said[index])) erasedIds.add(id);
    // A record is written after the one that it continues.
    for (const [id, parentId] of parents) if (erasedIds.has(parentId)) erasedIds.add(id);
    for (const { known } of processes) for (const id of erasedIds) known.delete(id);
    const before = new Map(shared.entries);
    const witnesses = strategy.witnesses.length;
    const wasUnsure = process.unsure.has(scope);
    process.unsure.add(scope);
    try {
      if (plant.keepsErased !== true)
        await eraseConversation({ store: process.store, secret, namespace, ...whose });
    } catch (error) {
      if (!SummarizationError.isInstance(error)) throw error;
      return;
    }
    if (!wasUnsure) process.unsure.delete(scope);
    // What such a store says to have written is nowhere.
    if (process.store.fault === 'loses writes') return;
    const keys = [...shared.entries].flatMap(([key, { value }]) =>
      before.get(key)?.value === value ? [] : key,
    );
    const stored = async (): Promise<readonly string[]> => {
      const listed = await listSummaries({ store: shared.open(), secret, namespace, ...whose });
      return listed.map((record) => JSON.stringify(record));
    };
    erased.push({
      erasure: { scope, texts: said, witnesses, stored },
      keys,
      unread: new Map(processes.map((each) => [each.store, new Set(each === process ? [] : keys)])),
    });
  };

  const change = (client: Client, how: Change): void => {
    client.state = changed(client, how, clients, next);
    if (how.change === 'tools') client.hasTools = !client.hasTools;
  };
  const happen = async (operation: Operation): Promise<readonly Call[]> => {
    switch (operation.kind) {
      case 'say': {
        const client = at(clients, operation.client);
        change(client, operation);
        return [await send(client, operation.sending)];
      }
      case 'race': {
        const client = at(clients, operation.client);
        change(client, operation);
        const sent = operation.sendings.map(async (sending) => send(client, sending));
        const { erasing } = operation;
        if (erasing !== undefined) {
          await turns(erasing.after);
          await erase(client, at(processes, erasing.process));
        }
        return Promise.all(sent);
      }
      case 'store': {
        const process = at(processes, operation.process);
        process.store.fault = operation.fault;
        process.store.wasFaulty ||= operation.fault !== 'none';
        return [];
      }
      case 'summarizer':
        strategy.fault = operation.fault;
        return [];
      case 'provider':
        at(clients, operation.client).provider = operation.provider;
        return [];
      case 'restart': {
        const process = at(processes, operation.process);
        process.store = openStore();
        for (const { keys, unread } of erased) unread.set(process.store, new Set(keys));
        process.known = new Map();
        process.unsure.clear();
        return [];
      }
      case 'options':
        at(processes, operation.process).options = optionSets[operation.options] ?? {};
        return [];
      case 'erase':
        await erase(at(clients, operation.client), at(processes, operation.process));
        return [];
      case 'elapse':
        await new Promise((resolve) => {
          setTimeout(resolve, operation.ms);
        });
        return [];
    }
  };
  return {
    plan,
    strategy,
    records,
    get erasures() {
      return erased.map(({ erasure }) => erasure);
    },
    textOf: (message) => texts.get(message),
    perform: async (operation) => {
      const made = await settled(happen(operation));
      // What goes on behind a call that was left ends before the next one: those of a race overlap.
      await still();
      for (const call of made) call.isErased = call.erasures !== erasuresOf(call.client);
      return made;
    },
  };
}
