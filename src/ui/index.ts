export * from './read-summarization.ts';
export * from './summarization-message.ts';
export * from './summarization-metadata.ts';
export * from './summary-data-parts.ts';
export * from './message-numbers.ts';
