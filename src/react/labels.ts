import type { OriginRole } from '../record/item-origin.ts';
import type { FinishedSummary, RunningSummary } from '../ui/summarization-message.ts';

/** What the parts say, in English. */
export const englishLabels = {
  /** Accessible name of the meter. */
  context: 'Context',
  /** What the meter says, in numbers that `formatCount` wrote. */
  contextUsed: (used: string, most: string): string => `${used} of ${most} tokens`,
  /** Where summaries begin, and what they aim at. */
  thresholds: (trigger: string, reset: string): string =>
    `Summarises from ${trigger} down to ${reset} tokens.`,
  running: (summary: RunningSummary): string => {
    const { messages, progress } = summary;
    const part = progress === undefined ? '' : `, part ${progress.completed} of ${progress.total}`;
    return `Remembering ${counted(messages)} in short${purposeOf(summary)}${part} …`;
  },
  done: (summary: Pick<FinishedSummary, 'coveredMessages'> | undefined): string => {
    if (summary === undefined) return 'Earlier messages are now remembered in short';
    const { coveredMessages } = summary;
    return `${counted(coveredMessages)} ${coveredMessages === 1 ? 'is' : 'are'} now remembered in short`;
  },
  failed: 'The earlier messages could not be put in short; the conversation goes on without that',
  interrupted: 'This summary was interrupted; the next message makes it',
  /** What a summary says that rules had to write. */
  degraded:
    'The model failed to write this summary. Rules wrote it, and may have missed something.',
  record: 'What is remembered',
  constraints: 'Rules to keep',
  userWords: "The user's words",
  decisions: 'Decisions',
  openItems: 'Still open',
  keyPoints: 'Key points',
  names: 'Files and names',
  /** Whose message an item comes from. */
  origin: (role: OriginRole): string => whose.get(role) ?? role,
  /** Accessible name of the link to that message; has to contain `origin`. */
  showOrigin: (role: OriginRole): string => `${whose.get(role) ?? role}: show the message`,
};

/** What the parts say, for other languages and other words. */
export type SummarizationLabels = Readonly<typeof englishLabels>;

const whose: ReadonlyMap<OriginRole, string> = new Map([
  ['user', 'you'],
  ['model', 'summary'],
]);

/** What a summary is made for, in words. */
function purposeOf({ reason, isAhead, tokens, contextLength }: RunningSummary): string {
  if (isAhead === true) return ', to have it when it is needed';
  if (reason === 'forced') return ', as asked';
  if (reason === 'requested') return ', as the assistant asked';
  if (tokens === undefined || contextLength === undefined) return '';
  if (reason === 'context-overflow') return ', as the conversation is too long to be sent whole';
  return `, as ${Math.round((100 * tokens) / contextLength)} % of the context is taken`;
}

function counted(messages: number): string {
  return `${messages} message${messages === 1 ? '' : 's'}`;
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
