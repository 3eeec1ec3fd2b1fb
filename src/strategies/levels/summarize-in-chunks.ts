import type { SummaryLevel } from '../../record/summary-record.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import { escapeJson } from '../../json/escape-json.ts';
import { chunkText } from './chunk-text.ts';
import { escapedSize } from './escaped-size.ts';
import {
  renderSummaries,
  summarizeTree,
  type ChunkSource,
  type TreeOptions,
} from './summarize-tree.ts';
import type { HierarchicalSummary } from '../../record/summary-result.ts';
import type { WrittenSummary } from './summary-writer.ts';
import { targetTokens } from './target-tokens.ts';

/** Share of the summaries that the final one is made from which it is asked for in at most. */
const finalShare = 0.6;

/** What {@link summarizeInChunks} works with. */
export interface SummarizeInChunksOptions extends Omit<
  TreeOptions,
  'chunks' | 'hasGroups' | 'readableTokens'
> {
  readonly level: SummaryLevel;
  /** Tokens of the text. */
  readonly inputTokens: number;
  /** Tokens of JSON that one call may read. */
  readonly room: number;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  /** Tokens of a text. */
  readonly count: (text: string) => number;
  readonly slices: TimeSlices;
}

/**
 * Summarises a text that is read in chunks: these, at level HIERARCHICAL groups of them, then all.
 *
 * @throws What `write` throws.
 */
export async function summarizeInChunks(
  text: string,
  options: SummarizeInChunksOptions,
): Promise<{ readonly summary: WrittenSummary; readonly hierarchical: HierarchicalSummary }> {
  const { level, inputTokens, room, write, templates, count, onProgress, slices } = options;
  const chunkSize = Math.min(options.chunkSize, room);
  const chunkOverlap = Math.min(options.chunkOverlap, Math.floor(chunkSize / 2));
  const measure = escapedSize(count, chunkSize / room);
  const chunks: ChunkSource[] = [];
  for (const { content } of chunkText(text, { chunkSize, chunkOverlap, measure })) {
    chunks.push({ content: escapeJson(content), tokens: count(content) });
    // Megabytes take seconds: others get their turn, and an abort is heard.
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  const { l1Summaries, l2Summaries, top } = await summarizeTree({
    ...options,
    chunks,
    hasGroups: level === 'HIERARCHICAL',
    readableTokens: room,
  });
  const sourceTokens = top.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  const summary = await write({
    template: templates.meta,
    content: renderSummaries(top.map(({ content }) => content)),
    sourceTokens,
    targetTokens: Math.min(targetTokens(level, inputTokens), Math.ceil(sourceTokens * finalShare)),
    total: top.length,
  });
  onProgress?.({ layer: 3, completed: 1, total: 1 });
  const l3Summary = summary.content;
  return {
    summary,
    hierarchical: { l1Summaries, l2Summaries, l3Summary, chunkSize, chunkOverlap },
  };
}
