export {
  callsOf,
  type ContextParts,
  type ContextReading,
  type SummarizationMessageMetadata,
  type SummarizationUIMessage,
} from './context-reading.ts';
export { numberMessages, type MessageNumbers } from './message-numbers.ts';
export {
  readSummarization,
  type ContextUsage,
  type PlacedSummary,
  type ReadSummarizationOptions,
  type Summarization,
} from './read-summarization.ts';
export type { TokenPrices } from './token-prices.ts';
export {
  summarizationMetadata,
  type SummarizationMetadataOptions,
  type SummarizationMetadataReader,
} from './summarization-metadata.ts';
export { summaryDataParts } from './summary-data-parts.ts';
export type {
  BilledTokens,
  ElsewhereSummary,
  FailedSummary,
  FinishedSummary,
  RunningSummary,
  ShortenedPart,
  SkippedSummaryPart,
  SummarizationDataParts,
  SummaryPart,
} from './summary-part.ts';
