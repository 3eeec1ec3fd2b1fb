import type { ConversationIdentity } from '../../identity/conversation-identity.ts';
import { matchWindow } from './match-window.ts';
import type { KnownSummary } from './known-summary.ts';

/** What the newest summaries of a conversation have to do with what a client sends of it. */
export interface WindowPrefix {
  /** The summary whose last messages are the first ones that are sent. */
  readonly known?: KnownSummary | undefined;
  /** How many of them. */
  readonly count: number;
  /** Whether none of what the summaries stand for is sent any more. */
  readonly isGap: boolean;
}

/** Looks for the summary that a window of a conversation continues, the newest first. */
export async function windowPrefix(
  newest: readonly KnownSummary[],
  sent: Pick<ConversationIdentity, 'messageDigests' | 'significantBefore'>,
  isUser: (place: number) => boolean,
): Promise<WindowPrefix> {
  const total = sent.significantBefore(Number.POSITIVE_INFINITY);
  let isGap = newest.length > 0;
  for (const known of newest) {
    const { lastIds = [] } = known.summary;
    const window = await sent.messageDigests(0, total);
    const match = matchWindow({ lastIds, window, isUser });
    if (match.kind === 'covered' && match.count < total)
      return { known, count: match.count, isGap: false };
    isGap &&= match.kind === 'gap';
  }
  return { count: 0, isGap };
}
