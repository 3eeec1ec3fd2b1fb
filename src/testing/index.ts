export type { StoreCheck } from './check.ts';
export { expectLegal, expectPaidOnce, expectWithinLimit } from './expectations.ts';
export {
  faultySummarizer,
  recordedModel,
  scriptedModel,
  type RecordingModel,
  type ScriptedAnswer,
  type SummarizerFault,
} from './scripted-model.ts';
export { storeChecks, type ServerHooks, type StoreChecksOptions } from './store-checks.ts';
export { strategyChecks, type StrategyChecksOptions } from './strategy-checks.ts';
export { summaryTreeStoreChecks } from './summary-tree-store-checks.ts';
