export type { ServerHooks } from './outage-checks.ts';
export type { StoreCheck } from './store-check.ts';
export { storeChecks, type StoreChecksOptions } from './store-checks.ts';
export { strategyChecks, type StrategyChecksOptions } from './strategy-checks.ts';
export { summaryTreeStoreChecks } from './summary-tree-store-checks.ts';
