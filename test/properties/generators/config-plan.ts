import * as fc from 'fast-check';
import type { SummarizationOptions } from '../../../src/index.ts';
import { weighted } from './texts.ts';

/** Options relative to the conversation they are tried on, contradictory ones included. */
export interface ConfigPlan extends Readonly<Record<Figure, number>> {
  readonly placement: NonNullable<SummarizationOptions['placement']>;
  readonly provider: string;
  readonly atMaxDepth: 'rebase' | 'halt';
  readonly preserveUserTurns: boolean;
}

type Figure =
  | 'fullness'
  | 'triggerTokenRatio'
  | 'resetShare'
  | 'preserveRecent'
  | 'preserveRecentTokenRatio'
  | 'minMessages'
  | 'cooldownMessages'
  | 'maxSummaryTokens'
  | 'outputReserve'
  | 'thresholdShare'
  | 'turns'
  | 'refreshAfter'
  | 'maxSummaryChainDepth';

/** Narrows what {@link configs} generates. */
export interface ConfigKind {
  readonly fullness?: readonly [min: number, max: number];
  /** Leaves out triggers other than the ratio, and output reserves. */
  readonly ratioOnly?: boolean;
}

/** Configurations for conversations between a third and four times the context length. */
export function configs({
  fullness: [min, max] = [30, 400],
  ratioOnly = false,
}: ConfigKind = {}): fc.Arbitrary<ConfigPlan> {
  const rarely = (arbitrary: fc.Arbitrary<number>): fc.Arbitrary<number> =>
    ratioOnly ? fc.constant(0) : weighted([3, fc.constant(0)], [1, arbitrary]);
  return fc.record({
    /** Size of the prompt in percent of the context length; mostly near the trigger: far above it everything is an emergency. */
    fullness: weighted(
      [3, fc.integer({ min, max: Math.max(min, Math.min(max, 130)) })],
      [1, fc.integer({ min, max })],
    ),
    triggerTokenRatio: fc.constantFrom(0.3, 0.5, 0.8, 0.8, 0.95, 1),
    /** `resetTokenRatio` in percent of the trigger. */
    resetShare: fc.constantFrom(20, 60, 87, 99),
    preserveRecent: fc.constantFrom(2, 3, 4, 6, 6, 9, 40),
    preserveRecentTokenRatio: fc.constantFrom(0, 0.1, 0.1, 0.4, 1),
    placement: fc.constantFrom('auto', 'system', 'system-merged', 'user'),
    provider: fc.constantFrom('openai.responses', 'lmstudio.chat'),
    minMessages: fc.constantFrom(0, 4, 12),
    cooldownMessages: fc.constantFrom(0, 4),
    maxSummaryTokens: fc.constantFrom(60, 120, 400, 2000),
    /** `maxOutputTokens` and `tokenThreshold` in percent of the context length; 0 for none. */
    outputReserve: rarely(fc.constantFrom(5, 30, 49, 100, 250)),
    thresholdShare: rarely(fc.constantFrom(10, 40, 90, 300)),
    /** 0 for none. */
    turns: rarely(fc.integer({ min: 1, max: 6 })),
    refreshAfter: rarely(fc.integer({ min: 1, max: 12 })),
    maxSummaryChainDepth: fc.constantFrom(0, 1, 3),
    atMaxDepth: fc.constantFrom('rebase', 'rebase', 'halt'),
    preserveUserTurns: fc.boolean(),
  });
}

/** The options of a plan for a prompt of so many tokens. */
export function optionsOf(plan: ConfigPlan, promptTokens: number): SummarizationOptions {
  const { fullness: _size, provider: _model, outputReserve: _reserve, ...rest } = plan;
  const { resetShare, thresholdShare, turns, refreshAfter, ...options } = rest;
  const contextLength = contextLengthFor(plan, promptTokens);
  return {
    ...options,
    contextLength,
    resetTokenRatio: (options.triggerTokenRatio * resetShare) / 100,
    tokenThreshold: Math.ceil((contextLength * thresholdShare) / 100) || undefined,
    turnThreshold: turns || undefined,
    forceRefreshAfterMessages: refreshAfter || undefined,
    secret: 'a secret for the tests',
  };
}

/** `maxOutputTokens` of a plan; `undefined` for none. */
export function outputReserveOf(plan: ConfigPlan, promptTokens: number): number | undefined {
  return Math.ceil((contextLengthFor(plan, promptTokens) * plan.outputReserve) / 100) || undefined;
}

function contextLengthFor({ fullness }: ConfigPlan, promptTokens: number): number {
  return Math.max(1, Math.round((promptTokens * 100) / fullness));
}
