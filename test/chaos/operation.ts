import * as fc from 'fast-check';
import type { SummarizationOptions } from '../../src/index.ts';
import { changes, type Change, type Noise } from '../properties/generators/history-plan.ts';
import { weighted } from '../properties/generators/texts.ts';
import { storeFaults, type StoreFault } from './faulty-store.ts';
import { summarizerFaults, type SummarizerFault } from './faulty-strategy.ts';

/** Instances that share a store. */
export const processCount = 3;

/** Options that a process runs with, beside its strategy and the length of its context. */
export const optionSets: readonly SummarizationOptions[] = [
  {},
  { placement: 'user', cooldownMessages: 0, minMessages: 0 },
  { placement: 'system-merged', preserveRecent: 2, preserveRecentTokenRatio: 0 },
  { placement: 'system', maxSummaryChainDepth: 1, triggerTokenRatio: 0.5, resetTokenRatio: 0.4 },
  { maxSummaryChainDepth: 1, atMaxDepth: 'halt', cooldownMessages: 0 },
  { background: true, maxWaitMs: 0 },
  { maxWaitMs: 0, storeTimeoutMs: 50 },
  { preserveUserTurns: true, maxSummaryTokens: 100, archive: true },
  { fallbackStrategy: false, turnThreshold: 3, minMessages: 0 },
  { encrypt: true, retentionMs: 3_600_000 },
];

/** Providers among which clients switch. */
export const providerIds = ['openai.responses', 'anthropic.messages', 'lmstudio.chat'] as const;

export type ProviderId = (typeof providerIds)[number];

/** How a conversation is sent. */
export interface Sending {
  readonly process: number;
  readonly streams: boolean;
  readonly noise: Noise;
  /** Whether it asks for a summary: any, or one that looks to something. */
  readonly force: 'no' | 'any' | 'to order';
  /** Turns of the event loop after which the caller leaves; 0 means before the call. */
  readonly abortAfter: number | undefined;
  /** Sends only the last turns, of as many as this says; `undefined` for the whole. */
  readonly window: number | undefined;
}

/** An erasure while calls are on their way. */
export interface Erasing {
  readonly process: number;
  /** Turns of the event loop after which it begins. */
  readonly after: number;
}

/** One thing that happens in a world. */
export type Operation =
  | ({ readonly kind: 'say'; readonly client: number; readonly sending: Sending } & Change)
  | ({ readonly kind: 'race'; readonly client: number } & Change & {
        readonly sendings: readonly Sending[];
        readonly erasing: Erasing | undefined;
      })
  | { readonly kind: 'store'; readonly process: number; readonly fault: StoreFault }
  | { readonly kind: 'summarizer'; readonly fault: SummarizerFault }
  | { readonly kind: 'provider'; readonly client: number; readonly provider: ProviderId }
  | { readonly kind: 'restart'; readonly process: number }
  | { readonly kind: 'options'; readonly process: number; readonly options: number }
  | { readonly kind: 'erase'; readonly client: number; readonly process: number }
  | { readonly kind: 'elapse'; readonly ms: number };

/** Clients of a world: the first two are of one tenant, the third is of another. */
const clientCount = 3;

const client = fc.nat(clientCount - 1);
const process = fc.nat(processCount - 1);
const howChanged = changes({ hostile: true, huge: true, noEmptySteps: true }, clientCount);

const rarely = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  weighted<T | undefined>([8, fc.constant(undefined)], [1, arbitrary]);

const sendings: fc.Arbitrary<Sending> = fc.record({
  process,
  streams: fc.boolean(),
  noise: fc.constantFrom('none', 'none', 'ids', 'options', 'no-reasoning', 'other-date', 'json'),
  force: fc.integer({ min: 0, max: 19 }).map((chance) => {
    if (chance < 18) return 'no';
    return chance === 18 ? 'to order' : 'any';
  }),
  abortAfter: rarely(fc.integer({ min: 0, max: 60 })),
  window: rarely(fc.integer({ min: 1, max: 4 })),
});

const erasings = weighted<Erasing | undefined>(
  [2, fc.constant(undefined)],
  [1, fc.record({ process, after: fc.nat(60) })],
);

/** Operations: mostly calls, between which the world changes. */
export const operations: fc.Arbitrary<Operation> = weighted<Operation>(
  [
    24,
    fc.tuple(client, sendings, howChanged).map(([who, sending, change]): Operation => ({
      kind: 'say',
      client: who,
      sending,
      ...change,
    })),
  ],
  [
    3,
    fc
      .tuple(client, howChanged, fc.array(sendings, { minLength: 2, maxLength: 5 }), erasings)
      .map(([who, change, sent, erasing]): Operation => ({
        kind: 'race',
        client: who,
        ...change,
        sendings: sent,
        erasing,
      })),
  ],
  [
    3,
    fc.record({
      kind: fc.constant('store'),
      process,
      fault: fc.oneof(fc.constant('none'), fc.constantFrom(...storeFaults)),
    }),
  ],
  [
    3,
    fc.record({
      kind: fc.constant('summarizer'),
      fault: fc.oneof(fc.constant('none'), fc.constantFrom(...summarizerFaults)),
    }),
  ],
  [
    1,
    fc.record({
      kind: fc.constant('provider'),
      client,
      provider: fc.constantFrom(...providerIds),
    }),
  ],
  [1, fc.record({ kind: fc.constant('restart'), process })],
  [
    1,
    fc.record({
      kind: fc.constant('options'),
      process,
      options: fc.nat(optionSets.length - 1),
    }),
  ],
  [1, fc.record({ kind: fc.constant('erase'), client, process })],
  [1, fc.record({ kind: fc.constant('elapse'), ms: fc.constantFrom(100, 5_001, 61_000) })],
);
