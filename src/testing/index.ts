export { brokenStores, type BrokenStore } from './broken-stores.ts';
export { hostileSummaries, type HostileSummary } from './hostile-summaries.ts';
export { hostileCarriers, hostileTexts, type HostileCarrier } from './hostile-texts.ts';
export type { ServerHooks } from './outage-checks.ts';
export type { StoreCheck } from './store-check.ts';
export { storeChecks, type StoreChecksOptions } from './store-checks.ts';
export { strategyChecks, type StrategyChecksOptions } from './strategy-checks.ts';
export { summaryTreeStoreChecks } from './summary-tree-store-checks.ts';
export { expectLegal, expectPaidOnce, expectWithinLimit } from './expectations.ts';
export { faultySummarizer, type SummarizerFault } from './faulty-summarizer.ts';
export {
  recordedModel,
  scriptedModel,
  type RecordingModel,
  type ScriptedAnswer,
} from './scripted-model.ts';
