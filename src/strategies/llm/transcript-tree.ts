import { summaryLevelOf } from '../../record/summary-level.ts';
import { redactionDoor } from '../../cleaning/redaction-door.ts';
import { countText } from '../../tokens/text/count-text.ts';
import type { TextCounter } from '../../tokens/text/create-text-counter.ts';
import type { ModelPanel } from '../models/ask-models.ts';
import type { TranscriptPart } from '../messages/transcript-parts.ts';
import { renderTranscript } from '../transcript/render-transcript.ts';
import { escapeJson } from '../../json/escape-json.ts';
import type { RequestReading, SummaryRequestOptions } from './summary-request.ts';
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

/** What a transcript is summarised with. */
export interface TranscriptOptions extends SummaryRequestOptions {
  /** The input's messages as the model reads them. */
  readonly parts: readonly TranscriptPart[];
  readonly panel: ModelPanel;
  /** Keeps the summaries of chunks. */
  readonly cache: SummaryCache;
  /** Names the models that may be asked. */
  readonly models: string;
  /** Lets the tokenizer remember pieces while work goes on; no model is asked in it. */
  readonly hold: TextCounter['hold'];
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
export async function transcriptTree(
  options: TranscriptOptions,
  { readable, room, priorSummary }: Pick<RequestReading, 'readable' | 'room' | 'priorSummary'>,
): Promise<TranscriptTree> {
  const { input, count, slices } = options;
  const sizeOf: CountTokensUpTo = (text, most) => countText(text, count, slices, most);
  const { conversation: chunk, meta } = resolveLevelPrompts();
  const templates = [chunk, meta];
  const prior = priorSummary || 'null';
  const limits = await readLimits({ readable, templates, prior, count: sizeOf });
  const chunkSize = Math.min(defaultChunkSize, limits.room);
  const chunkOverlap = Math.min(defaultChunkOverlap, Math.floor(chunkSize / 4));
  // A chunk is counted several times until it is cut where it should be.
  const release = options.hold();
  const split = transcriptChunks(options.parts, { chunkSize, chunkOverlap, count: sizeOf });
  const chunks = await split.finally(release);
  const level = summaryLevelOf(chunks.reduce((sum, { sourceTokens }) => sum + sourceTokens, 0));
  const tree = await summarizeTree({
    chunks,
    templates: { chunk, meta },
    write: summaryWriter({
      ...options,
      ask: options.panel.write,
      clean: redactionDoor(input.redact),
      priorSummary: limits.priorSummary,
      contentType: 'conversation',
      level,
    }),
    groupSize: defaultGroupSize,
    concurrency: defaultConcurrency,
    hasGroups: level === 'HIERARCHICAL',
    maxSummaryTokens: limits.maxSummaryTokens,
    readableTokens: Math.min(room, limits.room),
    onProgress: input.onProgress,
  });
  const content = tree.top.map((part, index) => ({
    part: `${index + 1} of ${tree.top.length} of the conversation`,
    summary: part.content,
  }));
  return { ...tree, chunkSize, chunkOverlap, content: escapeJson(content) };
}

async function transcriptChunks(
  parts: readonly TranscriptPart[],
  options: Pick<TranscriptTree, 'chunkSize' | 'chunkOverlap'> & { readonly count: CountTokensUpTo },
): Promise<readonly ChunkSource[]> {
  const { chunkSize, chunkOverlap, count } = options;
  const chunks: ChunkSource[] = [];
  let overlap: readonly TranscriptPart[] = [];
  for (let rest = parts; rest.length > 0;) {
    const room = chunkSize - (overlap.length === 0 ? 0 : await count(renderTranscript(overlap)));
    const split = await splitTranscript(rest, room, count);
    const content = renderTranscript([...overlap, ...split.piece]);
    chunks.push({ content, sourceTokens: await count(content) });
    overlap = await overlapOf(split.piece, chunkOverlap, count);
    ({ rest } = split);
  }
  return chunks;
}
