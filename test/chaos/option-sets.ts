import type { SummarizationOptions } from '../../src/index.ts';

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
