import { omittedSummary } from '../composing/render-summary.ts';
import { buildRecord } from '../record/build-record.ts';
import { emptyContent } from '../record/empty-content.ts';
import type { SummaryContent, SummaryRecord } from '../record/summary-record.ts';
import type { Composition } from '../composing/compose-prompt.ts';
import type { CallInspection } from '../call/read-call.ts';

/**
 * Makes a record, without a model and never stored, that names the messages up to `cut` and says that
 * they were left out; what the record before it says is kept unless `withContent` is `false`.
 */
export async function trimRecord(
  { state, view }: CallInspection,
  composition: Composition | undefined,
  cut: number,
  withContent: boolean,
): Promise<SummaryRecord> {
  const previous = composition?.record;
  const { identity } = view;
  const count = identity.significantBefore(cut);
  const known = previous?.originalMessageIds ?? [];
  return buildRecord(
    {
      key: await state.keyOf(count),
      depth: previous?.depth ?? 0,
      parent: previous,
      messageIds: [...known, ...(await identity.messageDigests(known.length, count))],
      prefixDigest: await identity.prefixDigest(count),
      strategy: 'trim',
      degraded: true,
      inputTokens: 0,
    },
    previous !== undefined && withContent
      ? withNotice(previous, cut - (composition?.cut ?? 0))
      : emptyContent(omittedSummary),
    0,
  );
}

function withNotice(previous: SummaryRecord, messages: number): SummaryContent {
  const notice = `${messages} messages after the ones summarised here were left out because they did not fit.`;
  return { ...previous, keyPoints: [notice, ...previous.keyPoints] };
}
