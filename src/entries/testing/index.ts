export type { StoreCheck } from './check.ts';
export * from './scripted-model.ts';
export * from './store-checks.ts';
export * from './strategy-checks.ts';
