import type { OriginRole } from '../record/item-origin.ts';
import type { FinishedSummary, RunningSummary } from '../ui/summary-part.ts';

/** What the parts say, for other languages and other words. */
export interface SummarizationLabels {
  /** Accessible name of the meter. */
  readonly context: string;
  /** What the meter says, in numbers that `formatCount` wrote. */
  readonly contextUsed: (used: string, most: string) => string;
  /** Where summaries begin, and what they aim at. */
  readonly thresholds: (trigger: string, reset: string) => string;
  readonly running: (summary: RunningSummary) => string;
  readonly done: (summary: Pick<FinishedSummary, 'coveredMessages'> | undefined) => string;
  readonly failed: string;
  readonly interrupted: string;
  /** What a summary says that rules had to write. */
  readonly degraded: string;
  readonly record: string;
  readonly constraints: string;
  readonly userWords: string;
  readonly decisions: string;
  readonly openItems: string;
  readonly keyPoints: string;
  readonly names: string;
  /** Whose message an item comes from. */
  readonly origin: (role: OriginRole) => string;
  /** Accessible name of the link to that message; has to contain `origin`. */
  readonly showOrigin: (role: OriginRole) => string;
}

/** The labels in English. */
export const englishLabels: SummarizationLabels = {
  context: 'Context',
  contextUsed: (used, most) => `${used} of ${most} tokens`,
  thresholds: (trigger, reset) => `Summarises from ${trigger} down to ${reset} tokens.`,
  running: (summary) => {
    const { messages, progress } = summary;
    const part = progress === undefined ? '' : `, part ${progress.completed} of ${progress.total}`;
    return `Remembering ${plural(messages, 'message')} in short${purposeOf(summary)}${part} …`;
  },
  done: (summary) =>
    summary === undefined
      ? 'Earlier messages are now remembered in short'
      : `${plural(summary.coveredMessages, 'message')} ${summary.coveredMessages === 1 ? 'is' : 'are'} now remembered in short`,
  failed: 'The earlier messages could not be put in short; the conversation goes on without that',
  interrupted: 'This summary was interrupted; the next message makes it',
  degraded:
    'The model failed to write this summary. Rules wrote it, and may have missed something.',
  record: 'What is remembered',
  constraints: 'Rules to keep',
  userWords: "The user's words",
  decisions: 'Decisions',
  openItems: 'Still open',
  keyPoints: 'Key points',
  names: 'Files and names',
  origin: (role) => whose[role],
  showOrigin: (role) => `${whose[role]}: show the message`,
};

/** What a summary is made for, in words. */
function purposeOf({ reason, isAhead, tokens, contextLength }: RunningSummary): string {
  if (isAhead === true) return ', to have it when it is needed';
  if (reason === 'forced') return ', as asked';
  if (reason === 'requested') return ', as the assistant asked';
  if (tokens === undefined || contextLength === undefined) return '';
  if (reason === 'context-overflow') return ', as the conversation is too long to be sent whole';
  return `, as ${Math.round((100 * tokens) / contextLength)} % of the context is taken`;
}

const whose: Readonly<Record<OriginRole, string>> = {
  user: 'you',
  assistant: 'assistant',
  tool: 'tool',
  system: 'system',
  model: 'summary',
};

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What one line says of a summary. */
export function summaryLabel(
  part: RunningSummary | FinishedSummary | { readonly state: 'failed' | 'elsewhere' } | undefined,
  isInterrupted: boolean,
  labels: SummarizationLabels = englishLabels,
): string {
  if (isInterrupted) return labels.interrupted;
  if (part?.state === 'running') return labels.running(part);
  if (part?.state === 'failed') return labels.failed;
  return labels.done(part?.state === 'done' ? part : undefined);
}
