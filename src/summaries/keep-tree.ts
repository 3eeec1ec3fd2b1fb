import { omittedSummary } from '../composing/render-summary.ts';
import { textDoor, type TextDoor } from '../cleaning/text-door.ts';
import { anonymousTreeId, summaryTreeId } from '../stores/trees/summary-tree-id.ts';
import type { ChunkSummary, HierarchicalSummary } from '../record/summary-result.ts';
import { recordText } from '../record/record-text.ts';
import type { CallContext } from '../call/call-context.ts';
import type { CallInspection } from '../call/read-call.ts';
import type { MadeSummary } from './make-summary.ts';
import { treeKeeperOf } from '../stores/trees/tree-keeper.ts';

/**
 * The id that a conversation whose calls carry none gets with its first summary, and keeps: conversations
 * that begin alike have had different ones since then. `undefined` where it is not needed.
 *
 * @param key - Store key of the summary that is made now.
 */
export async function conversationTreeId(
  { options, keys }: CallContext,
  { callOptions, stored }: CallInspection,
  key: string,
): Promise<string | undefined> {
  if (options.summaryTreeStore === undefined || callOptions.conversationId !== undefined)
    return undefined;
  // Not the store key itself: who knows a key may read what is stored under it.
  return stored?.treeId ?? anonymousTreeId(await keys.key('tree', key));
}

/**
 * Hands a summary that has been made and stored to the tree store. Resolves after 250 ms at most and
 * never rejects; what became of it is reported as an event.
 */
export async function keepTree(
  { options, emitForCall }: CallContext,
  { callOptions }: CallInspection,
  { summary: { record, treeId: storedId }, hierarchical }: MadeSummary,
): Promise<void> {
  const { conversationId } = callOptions;
  const { summaryTreeStore, namespace, redact } = options;
  const treeId =
    conversationId === undefined ? storedId : summaryTreeId({ conversationId, namespace });
  // A placeholder must not take the place of a summary that says something.
  const saysNothing = record.summary === omittedSummary;
  if (summaryTreeStore === undefined || treeId === undefined || saysNothing) return;
  const startedAt = performance.now();
  const onFault = (error: unknown): void => {
    const reason = 'the summary tree store failed';
    emitForCall({ type: 'failed', stage: 'persist', reason, error });
  };
  const { level, inputTokens, outputTokens, compressionRatio } = record.metrics;
  try {
    const result = {
      level,
      summary: recordText(record),
      ...(hierarchical === undefined
        ? {}
        : { hierarchical: cleanTree(hierarchical, textDoor(redact)) }),
      inputTokens,
      outputTokens,
      compressionRatio,
    };
    const onKept = (): void => {
      const durationMs = performance.now() - startedAt;
      emitForCall({ type: 'persisted', treeId, level, durationMs });
    };
    await treeKeeperOf(summaryTreeStore).keep({ treeId, result, onKept, onFault });
  } catch (error) {
    onFault(error);
  }
}

/** The record has gone through the door; what it was condensed through has not. */
function cleanTree(
  { l1Summaries, l2Summaries, l3Summary, ...rest }: HierarchicalSummary,
  clean: TextDoor,
): HierarchicalSummary {
  const cleanAll = (summaries: readonly ChunkSummary[]): readonly ChunkSummary[] =>
    summaries.map((summary) => ({ ...summary, content: clean(summary.content) }));
  return {
    ...rest,
    l1Summaries: cleanAll(l1Summaries),
    l2Summaries: cleanAll(l2Summaries),
    l3Summary: clean(l3Summary),
  };
}
