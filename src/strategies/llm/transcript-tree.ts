import { summaryLevelOf } from '../../record/summary-level.ts';
import type { TextDoor } from '../../cleaning/text-door.ts';
import { countText } from '../../tokens/text/count-text.ts';
import type { TextCounter } from '../../tokens/text/load-text-counter.ts';
import type { TimeSlices } from '../../util/time-slices.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { renderTranscript } from '../transcript/render-transcript.ts';
import { escapeJson } from '../../json/escape-json.ts';
import type { SummaryProgress } from '../summary-strategy.ts';
import { resolveLevelPrompts } from '../levels/level-prompts.ts';
import { readLimits } from '../levels/read-limits.ts';
import {
  defaultChunkOverlap,
  defaultChunkSize,
  defaultConcurrency,
  defaultGroupSize,
} from '../levels/summarize-settings.ts';
import { summarizeTree, type ChunkSource, type SummaryTree } from '../levels/summarize-tree.ts';
import type { SummaryCache } from '../levels/summary-cache.ts';
import { summaryWriter } from '../levels/summary-writer.ts';
import {
  overlapOf,
  splitTranscript,
  type CountTokensUpTo,
} from '../transcript/split-transcript.ts';

/** What {@link transcriptTree} works with. */
export interface TranscriptTreeOptions {
  readonly parts: readonly TranscriptPart[];
  /** Tokens one call may read. */
  readonly readable: number;
  /** Tokens of summaries the final call may read. */
  readonly finalRoom: number;
  /** The record before, as JSON; `''` if there is none. */
  readonly prior: string;
  readonly panel: Pick<ModelPanel, 'write'>;
  readonly cache: SummaryCache;
  readonly clean: TextDoor;
  /** Names the models that may be asked. */
  readonly models: string;
  readonly count: (text: string) => number;
  /** Lets the tokenizer remember pieces while work goes on; no model is asked in it. */
  readonly hold: TextCounter['hold'];
  readonly slices: TimeSlices;
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
}

/** The layers under the final summary of a transcript. */
export interface TranscriptTree extends SummaryTree {
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  /** The top summaries as the final call reads them: JSON. */
  readonly content: string;
}

/**
 * Summarises a transcript that cannot be read at once: its chunks, then groups of them, until one call
 * can read the rest.
 *
 * @throws SummarizationError with level and chunk; the reason of an abort.
 */
export async function transcriptTree(options: TranscriptTreeOptions): Promise<TranscriptTree> {
  const { parts, readable, finalRoom, prior, panel, onProgress } = options;
  const { cache, clean, models, count, hold, slices } = options;
  const sizeOf: CountTokensUpTo = (text, most) => countText(text, count, slices, most);
  const { conversation: chunk, meta } = resolveLevelPrompts();
  const limits = await readLimits({
    readable,
    templates: [chunk, meta],
    prior: prior || 'null',
    count: sizeOf,
  });
  const chunkSize = Math.min(defaultChunkSize, limits.room);
  const chunkOverlap = Math.min(defaultChunkOverlap, Math.floor(chunkSize / 4));
  // A chunk is counted several times until it is cut where it should be.
  const release = hold();
  const chunks = await transcriptChunks(parts, { chunkSize, chunkOverlap, count: sizeOf }).finally(
    release,
  );
  const tokens = chunks.reduce((sum, { tokens: size }) => sum + size, 0);
  const level = summaryLevelOf(tokens);
  const tree = await summarizeTree({
    chunks,
    templates: { chunk, meta },
    write: summaryWriter({
      ask: panel.write,
      cache,
      clean,
      models,
      priorSummary: limits.priorSummary,
      contentType: 'conversation',
      level,
      count,
      slices,
    }),
    groupSize: defaultGroupSize,
    concurrency: defaultConcurrency,
    hasGroups: level === 'HIERARCHICAL',
    maxSummaryTokens: limits.maxSummaryTokens,
    readableTokens: Math.min(finalRoom, limits.room),
    onProgress,
  });
  const summaries = tree.top.map(({ content }, index) => ({
    part: `${index + 1} of ${tree.top.length} of the conversation`,
    summary: content,
  }));
  return { ...tree, chunkSize, chunkOverlap, content: escapeJson(summaries) };
}

async function transcriptChunks(
  parts: readonly TranscriptPart[],
  {
    chunkSize,
    chunkOverlap,
    count,
  }: {
    readonly chunkSize: number;
    readonly chunkOverlap: number;
    readonly count: CountTokensUpTo;
  },
): Promise<readonly ChunkSource[]> {
  const chunks: ChunkSource[] = [];
  let overlap: readonly TranscriptPart[] = [];
  for (let rest = parts; rest.length > 0;) {
    const room = chunkSize - (overlap.length === 0 ? 0 : await count(renderTranscript(overlap)));
    const split = await splitTranscript(rest, room, count);
    const content = renderTranscript([...overlap, ...split.piece]);
    chunks.push({ content, tokens: await count(content) });
    overlap = await overlapOf(split.piece, chunkOverlap, count);
    ({ rest } = split);
  }
  return chunks;
}
