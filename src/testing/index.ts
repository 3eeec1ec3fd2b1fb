export type { StoreCheck } from './store-check.ts';
export { summaryStoreChecks } from './summary-store-checks.ts';
export { summaryTreeStoreChecks } from './summary-tree-store-checks.ts';
