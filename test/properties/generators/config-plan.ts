import * as fc from 'fast-check';
import type { SummarizationOptions } from '../../../src/index.ts';
import { weighted } from './texts.ts';

/** Options relative to the conversation they are tried on, contradictory ones included. */
export interface ConfigPlan {
  /** Size of the prompt in percent of the context length. */
  readonly fullness: number;
  readonly triggerTokenRatio: number;
  /** `resetTokenRatio` in percent of the trigger. */
  readonly resetShare: number;
  readonly preserveRecent: number;
  readonly preserveRecentTokenRatio: number;
  readonly placement: NonNullable<SummarizationOptions['placement']>;
  readonly provider: string;
  readonly minMessages: number;
  readonly cooldownMessages: number;
  readonly maxSummaryTokens: number;
  /** `maxOutputTokens` in percent of the context length. */
  readonly outputReserve: number;
  /** `tokenThreshold` in percent of the context length; 0 for none. */
  readonly thresholdShare: number;
  /** 0 for none. */
  readonly turnThreshold: number;
  /** 0 for none. */
  readonly refreshAfter: number;
  readonly maxSummaryChainDepth: number;
  readonly atMaxDepth: 'rebase' | 'halt';
  readonly preserveUserTurns: boolean;
}

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
    // Mostly near the trigger: far above it everything is an emergency.
    fullness: weighted(
      [3, fc.integer({ min, max: Math.max(min, Math.min(max, 130)) })],
      [1, fc.integer({ min, max })],
    ),
    triggerTokenRatio: fc.constantFrom(0.3, 0.5, 0.8, 0.8, 0.95, 1),
    resetShare: fc.constantFrom(20, 60, 87, 99),
    preserveRecent: fc.constantFrom(2, 3, 4, 6, 6, 9, 40),
    preserveRecentTokenRatio: fc.constantFrom(0, 0.1, 0.1, 0.4, 1),
    placement: fc.constantFrom('auto', 'system', 'system-merged', 'user'),
    provider: fc.constantFrom('openai.responses', 'lmstudio.chat'),
    minMessages: fc.constantFrom(0, 4, 12),
    cooldownMessages: fc.constantFrom(0, 4),
    maxSummaryTokens: fc.constantFrom(60, 120, 400, 2000),
    outputReserve: rarely(fc.constantFrom(5, 30, 49, 100, 250)),
    thresholdShare: rarely(fc.constantFrom(10, 40, 90, 300)),
    turnThreshold: rarely(fc.integer({ min: 1, max: 6 })),
    refreshAfter: rarely(fc.integer({ min: 1, max: 12 })),
    maxSummaryChainDepth: fc.constantFrom(0, 1, 3),
    atMaxDepth: fc.constantFrom('rebase', 'rebase', 'halt'),
    preserveUserTurns: fc.boolean(),
  });
}

/** The options of a plan for a prompt of so many tokens. */
export function optionsOf(plan: ConfigPlan, promptTokens: number): SummarizationOptions {
  const { triggerTokenRatio, thresholdShare, turnThreshold, refreshAfter } = plan;
  const contextLength = contextLengthFor(plan, promptTokens);
  return {
    contextLength,
    triggerTokenRatio,
    resetTokenRatio: (triggerTokenRatio * plan.resetShare) / 100,
    preserveRecent: plan.preserveRecent,
    preserveRecentTokenRatio: plan.preserveRecentTokenRatio,
    placement: plan.placement,
    minMessages: plan.minMessages,
    cooldownMessages: plan.cooldownMessages,
    maxSummaryTokens: plan.maxSummaryTokens,
    tokenThreshold:
      thresholdShare === 0 ? undefined : Math.ceil((contextLength * thresholdShare) / 100),
    turnThreshold: turnThreshold === 0 ? undefined : turnThreshold,
    forceRefreshAfterMessages: refreshAfter === 0 ? undefined : refreshAfter,
    maxSummaryChainDepth: plan.maxSummaryChainDepth,
    atMaxDepth: plan.atMaxDepth,
    preserveUserTurns: plan.preserveUserTurns,
    secret: 'a secret for the tests',
  };
}

/** `maxOutputTokens` of a plan; `undefined` for none. */
export function outputReserveOf(plan: ConfigPlan, promptTokens: number): number | undefined {
  if (plan.outputReserve === 0) return undefined;
  return Math.ceil((contextLengthFor(plan, promptTokens) * plan.outputReserve) / 100);
}

function contextLengthFor({ fullness }: ConfigPlan, promptTokens: number): number {
  return Math.max(1, Math.round((promptTokens * 100) / fullness));
}
