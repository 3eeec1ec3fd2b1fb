export * from './parts.tsx';
export * from './use-summarization.ts';
