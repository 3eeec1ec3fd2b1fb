import type { ConfigPlan } from '../generators/config-plan.ts';
import type { TracePlan } from '../generators/trace-plan.ts';

/** A chat of ten turns, where a test needs one conversation and any will do. */
export const plainChat: TracePlan = {
  systems: [{ seed: 500, words: 5, extra: '' }],
  turns: Array.from({ length: 10 }, (_, seed) => ({
    users: [{ text: { seed, words: 30, extra: '' }, file: 'none' }],
    steps: [{ kind: 'answer', thinking: 'none', text: { seed: seed + 50, words: 60, extra: '' } }],
  })),
  ending: 'user',
};

/** Options under which the plain chat is due for a summary. */
export const plainConfig: ConfigPlan = {
  fullness: 90,
  triggerTokenRatio: 0.8,
  resetShare: 87,
  preserveRecent: 4,
  preserveRecentTokenRatio: 0.1,
  placement: 'system',
  provider: 'openai.responses',
  minMessages: 0,
  cooldownMessages: 4,
  maxSummaryTokens: 120,
  outputReserve: 0,
  thresholdShare: 0,
  turns: 0,
  refreshAfter: 0,
  maxSummaryChainDepth: 3,
  atMaxDepth: 'rebase',
  preserveUserTurns: false,
};
