export * from './labels.ts';
export * from './parts.tsx';
export * from './use-summarization.ts';
