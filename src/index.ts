export * from './api/compact.ts';
export * from './api/count-prompt-tokens.ts';
export * from './api/explain-summarization.ts';
export * from './api/prepare-summary.ts';
export * from './api/stored-summaries.ts';
export * from './api/summarize-conversation.ts';
export * from './api/summarize-tool-call.ts';
export type { StateInput } from './api/given-state.ts';
export { ContextOverflowError } from './errors/context-overflow-error.ts';
export { SummarizationError, type SummarizationFailure } from './errors/summarization-error.ts';
export { SummarizationOptionError } from './errors/summarization-option-error.ts';
export type { SummarizationMetadata } from './report/report-call.ts';
export type { SummarizationEvent, SummarizationStats } from './report/events.ts';
export type { Placement } from './composing/place-summary.ts';
export { summarizationMiddleware, type SummarizationMiddleware } from './middleware.ts';
export type { SummarizationCallOptions } from './options/call-options.ts';
export type { PriceStep, ProviderOverrides, TokenPrices } from './options/provider-overrides.ts';
export type { SummarizationOptions } from './options/summarization-options.ts';
export type { Message, ModelIdentity } from './prompt/prompt-types.ts';
export type { Conversation } from './api/given-conversation.ts';
export { summaryRecordSchema } from './record/record-schemas.ts';
export type { SummarizationPrompts, SummaryPrompts } from './prompts/summarization-prompts.ts';
export type * from './record/summary-record.ts';
export {
  summaryTreeId,
  type CompareAndSet,
  type KeyValueStore,
  type SummaryStore,
  type SummaryTreeIdInput,
  type SummaryTreeNode,
  type SummaryTreeStore,
} from './stores/summary-store.ts';
export { memoryStore, type MemoryStoreOptions } from './stores/memory-store.ts';
export type { SummarizationTelemetry } from './telemetry/telemetry.ts';
export * from './strategies/define-strategy.ts';
export type { StandardSchema } from './checks/check-object.ts';
export { llmStrategy } from './strategies/llm/llm-strategy.ts';
export type { LlmStrategyOptions } from './strategies/llm/llm-writer.ts';
export type { MessageFilter, MessageFilterMode } from './strategies/messages/message-filter.ts';
export * from './strategies/rule-based/rule-based-strategy.ts';
export type * from './strategies/summary-strategy.ts';
export type { SummaryJob, SummaryQueue } from './options/summary-queue.ts';
export type { ContextLength } from './tokens/context-lengths.ts';
export type {
  ChangedMessage,
  ProposedSummary,
  SummarizationPlan,
  SummaryCost,
} from './planning/plan.ts';
export { isContextOverflow, type ContextOverflow } from './overflow/context-overflow.ts';
export type { Priority } from './selection/conversation-view.ts';
export type { TriggerReason } from './planning/decide.ts';
