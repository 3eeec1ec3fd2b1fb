export { ContextMeter, type ContextMeterProps } from './context-meter.tsx';
export { englishLabels, summaryLabel, type SummarizationLabels } from './labels.ts';
export { SummaryDivider, type SummaryDividerProps } from './summary-divider.tsx';
export { SummaryRecordView, type SummaryRecordViewProps } from './summary-record-view.tsx';
export { useSummarization } from './use-summarization.ts';
