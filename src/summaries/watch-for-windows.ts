import type { SummaryRecord } from '../record/summary-record.ts';
import type { CallReporter, CallWarning } from '../report/call-reporter.ts';
import { namespaceDigits } from '../stores/seal/store-keys.ts';
import type { TreePlace } from './keep-tree.ts';
import type { SlidingWindowWatch } from './sliding-window-watch.ts';

/** A conversation that may be a window, and who is told. */
interface WatchedConversation {
  readonly tree: Pick<TreePlace, 'conversationId'>;
  readonly windows: SlidingWindowWatch;
  readonly warn: CallReporter['warn'];
}

/** What to tell whose conversations are found to be windows. */
export const slidingWindowWarning: CallWarning = {
  code: 'sliding-window',
  cause: 'history',
  message:
    'A conversation begins with messages from the middle of one that was summarised before: the client seems to ' +
    'send only the last messages of its history, so that every request may pay for a summary of its own. Pass ' +
    'providerOptions.summarization.conversationId, an id that the application has authorised, or send the whole ' +
    'history.',
};

/** Tells whose client seems to send only the end of its conversations, where no id says which they are. */
export function watchForWindows(
  { tree, windows, warn }: WatchedConversation,
  key: string,
  { parentId, originalMessageIds }: SummaryRecord,
): void {
  if (tree.conversationId !== undefined || parentId !== undefined) return;
  const namespace = key.slice(0, namespaceDigits);
  if (windows.isWindow(namespace, originalMessageIds)) warn(slidingWindowWarning);
  windows.remember(namespace, originalMessageIds);
}
