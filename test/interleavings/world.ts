import { type LanguageModelMiddleware, wrapLanguageModel } from 'ai';
import {
  summarizationMiddleware,
  type ListedSummary,
  type Message,
  type SummarizationOptions,
  type SummaryStore,
} from '../../src/index.ts';
import { countText } from '../support/count-text.ts';
import { words } from '../support/messages.ts';
import { assistant, user } from '../support/prompt-messages.ts';
import type { Prompt } from '../support/prompt-types.ts';
import { sharedStore, type SharedStore } from '../support/shared-store.ts';
import type { Steps } from './steps.ts';

export const secret = 'a secret of the operator';

/** A summary that was paid for. */
export interface Bill {
  /** The texts of all that it stands for. */
  readonly texts: readonly string[];
  readonly parent: Bill | undefined;
  /** The process that paid. */
  readonly process: number;
}

/** A prompt that reached a model, and the conversation that it was made from. */
export interface Sent {
  readonly given: readonly Message[];
  /** The message that what was sent of that began with. */
  readonly from: number;
  readonly prompt: Prompt;
}

/** How a call differs from the others. */
export interface Sending {
  readonly force?: boolean;
  readonly instructions?: string;
  readonly conversationId?: string;
  readonly from?: number;
}

/** Tokens that the model accepts, and what the others of a process are told. */
const contextLength = 600;

const usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/** A chat of so many messages, the user's first; `branch` says from which on it goes another way. */
export function talk(count: number, branch: number = Infinity): Message[] {
  return Array.from({ length: count }, (_, index) => {
    const text = `${index < branch ? 'Part' : 'Another'} ${index}: ${words(index, 22)}.`;
    return index % 2 === 0 ? user(text) : assistant(text);
  });
}

function textOf({ content }: Message): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => ('text' in part ? part.text : '')).join(' ');
}

let models = 0;

/** Processes that share a store, and all that was paid and sent. */
export class World {
  readonly shared: SharedStore = sharedStore();
  readonly bills: Bill[] = [];
  readonly sent: Sent[] = [];
  /** What was said to be erased or undone. */
  readonly gone: Set<Bill> = new Set();
  /** Records that say to stand for more or fewer messages than were read for them. */
  readonly wrongRecords: string[] = [];
  /** What stood in the store, before anything happened at once. */
  newest: readonly ListedSummary[] = [];
  readonly #steps: Steps;
  readonly options: SummarizationOptions;
  readonly #stores: SummaryStore[] = [];
  readonly #middlewares: LanguageModelMiddleware[] = [];
  readonly #modelId = `gpt-test-${(models += 1)}`;

  constructor(steps: Steps, options: SummarizationOptions = {}) {
    this.#steps = steps;
    this.options = options;
  }

  /** The store as a process sees it. */
  storeOf(process: number): SummaryStore {
    return (this.#stores[process] ??= this.shared.open(
      ({ get, compareAndSet, delete: remove }) => ({
        get: async (key) => this.#steps.take('reads', () => get(key)),
        compareAndSet: async (key, entry) =>
          this.#steps.take('writes', () => compareAndSet(key, entry)),
        delete: async (key) => this.#steps.take('removes', () => remove(key)),
      }),
    ));
  }

  optionsOf(process: number): SummarizationOptions {
    return {
      contextLength,
      minMessages: 4,
      preserveRecent: 2,
      preserveRecentTokenRatio: 0,
      cooldownMessages: 0,
      maxSummaryTokens: 92,
      store: this.storeOf(process),
      secret,
      ...this.options,
      onEvent: (event) => {
        if (event.type !== 'end' || event.record.degraded) return;
        const { coveredMessages, summary } = event.record;
        const { length } = this.billOf(summary)?.texts ?? [];
        if (coveredMessages !== length)
          this.wrongRecords.push(`a record of ${length} messages names ${coveredMessages}`);
      },
      strategy: {
        name: 'witness',
        summarize: async ({ messages, previous }) => {
          const parent = this.billOf(previous?.summary ?? '');
          const texts = [...(parent?.texts ?? []), ...messages.map(textOf)];
          const number = this.bills.push({ texts, parent, process }) - 1;
          await this.#steps.take('is answered', () => {});
          const context = {
            participants: [],
            decisions: [],
            actionItems: [],
            unresolved: [],
            domainEntities: [],
            constraints: [],
          };
          const content = { summary: `S${number}.`, keyPoints: [], context };
          return { content, usage: { inputTokens: 1, outputTokens: 1 } };
        },
      },
    };
  }

  get contextLength(): number {
    const { contextLength: own } = this.options;
    return typeof own === 'number' ? own : contextLength;
  }

  /** The summary that a text says to be, if it is one that was paid for. */
  billOf(text: string): Bill | undefined {
    const number = /\bS(\d+)\./.exec(text)?.[1];
    return number === undefined ? undefined : this.bills[Number(number)];
  }

  /** Whether a text holds a summary that is gone, or that continues one. */
  isGone(text: string): boolean {
    for (let bill = this.billOf(text); bill !== undefined; bill = bill.parent)
      if (this.gone.has(bill)) return true;
    return false;
  }

  /** A model that answers at once, of a call that sends a conversation. */
  modelOf(given: readonly Message[] = [], from = 0): Model {
    return {
      specificationVersion: 'v4',
      provider: 'openai.chat',
      modelId: this.#modelId,
      supportedUrls: {},
      doGenerate: async ({ prompt }) => {
        this.sent.push({ given, from, prompt });
        return {
          content: [{ type: 'text', text: 'ok' }],
          finishReason: { unified: 'stop', raw: 'stop' },
          warnings: [],
          usage,
        };
      },
      doStream: async () => {
        throw new Error('Nothing is streamed.');
      },
    };
  }

  /**
   * Sends a conversation from a process, and remembers what reached the model.
   *
   * @param from - Message that what is sent begins with.
   */
  async send(
    process: number,
    messages: readonly Message[],
    { from = 0, ...summarization }: Sending = {},
  ): Promise<void> {
    const middleware = (this.#middlewares[process] ??= summarizationMiddleware(
      this.optionsOf(process),
    ));
    const model = wrapLanguageModel({ model: this.modelOf(messages, from), middleware });
    const prompt = structuredClone(messages.slice(from));
    await model.doGenerate({ prompt, providerOptions: { summarization } });
  }
}

/**
 * What is wrong with a prompt: messages that are nowhere, two summaries, one of something else, too many tokens.
 *
 * @param hasFailed - Whether the summarizer, or the store, may have failed it: rules have written what stands for more
 * than the summaries of before, and nobody has told of what was not sent.
 */
export function wrongWith(
  world: World,
  { given, from, prompt }: Sent,
  hasFailed: boolean,
): readonly string[] {
  const wrong: string[] = [];
  const texts = prompt.map(textOf);
  const summaries = texts.filter((text) => text.includes('[summary-depth:'));
  const said = given.map(textOf);
  const covered = world.billOf(summaries[0] ?? '')?.texts ?? [];
  if (summaries.length > 1) wrong.push('there are two summaries');
  if (covered.some((text, index) => text !== said[index]))
    wrong.push('the summary stands for something else');
  if (covered.length >= said.length) wrong.push('the summary stands for all of it');
  const begin = hasFailed ? Math.max(from, summaries.length > 0 ? said.length - 1 : 0) : 0;
  const missing = said.findIndex(
    (text, index) => index >= Math.max(covered.length, begin) && !texts.join().includes(text),
  );
  if (missing !== -1) wrong.push(`message ${missing} is nowhere`);
  if (prompt.find(({ role }) => role !== 'system')?.role !== 'user')
    wrong.push('it begins with no user');
  const tokens = texts.reduce((total, text) => total + countText(text) + 4, 0);
  if (tokens > world.contextLength) wrong.push(`${tokens} tokens are too many`);
  return wrong;
}
