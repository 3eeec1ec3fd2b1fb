export * from './read-summarization.ts';
export * from './summarization-message.ts';
export * from './write-summarization.ts';
