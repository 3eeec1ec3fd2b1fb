import type { SummaryLevel } from '../../record/summary-record.ts';
import type { TextReading } from '../../tokens/text/count-text.ts';
import { escapeJson } from '../../json/escape-json.ts';
import type { EmbedTexts } from '../../stores/chroma/embed-texts.ts';
import { withDeadline } from '../../util/async/with-deadline.ts';
import { chunkText } from './chunk-text.ts';
import { summarizeTree, type ChunkSource, type TreeOptions } from './summarize-tree.ts';
import type { HierarchicalSummary } from '../../record/summary-result.ts';
import type { WrittenSummary } from './summary-writer.ts';
import { targetTokens } from './target-tokens.ts';

/** Characters that JSON writes as two, and those that `escapeJson` writes as six. */
const shortEscapes = /["\\\n\r\t]/g;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const longEscapes = /[<>&\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Share of the summaries that the final one is made from which it is asked for in at most. */
const finalShare = 0.6;

/** What {@link summarizeInChunks} works with. */
export interface SummarizeInChunksOptions
  extends TextReading, Omit<TreeOptions, 'chunks' | 'hasGroups' | 'readableTokens'> {
  readonly level: SummaryLevel;
  /** Tokens of the text. */
  readonly inputTokens: number;
  /** Tokens of JSON that one call may read. */
  readonly room: number;
  readonly chunkSize: number;
  readonly chunkOverlap: number;
  /** Embeds texts, where chunks end at changes of subject. */
  readonly embed?: EmbedTexts | undefined;
  readonly timeoutMs: number;
  readonly abortSignal?: AbortSignal | undefined;
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
  for (const section of await sectionsOf(text, { ...options, chunkSize }, measure))
    for (const { content } of chunkText(section, { chunkSize, chunkOverlap, measure })) {
      chunks.push({ content: escapeJson(content), sourceTokens: count(content) });
      // Megabytes take seconds: others get their turn, and an abort is heard.
      await slices.pause();
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
    content: escapeJson(top.map(({ content }) => content)),
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

/** The sections of a text that chunks do not reach across; the whole text without an `embed`, or where that fails. */
async function sectionsOf(
  text: string,
  { embed, chunkSize: maxSize, timeoutMs, abortSignal, slices }: SummarizeInChunksOptions,
  measure: (text: string) => number,
): Promise<readonly string[]> {
  if (embed === undefined) return [text];
  const { semanticSections } = await import('./semantic-sections.ts');
  try {
    return await withDeadline(abortSignal, timeoutMs, async () =>
      semanticSections(text, { maxSize, measure, embed, slices }),
    );
  } catch {
    abortSignal?.throwIfAborted();
    return [text];
  }
}

/**
 * Makes the size of a text from its tokens, larger where so much of it has to be escaped that a chunk of
 * that many tokens would not fit into the model.
 *
 * @param scale - Tokens of a chunk over tokens a model can read of one.
 */
function escapedSize(count: (text: string) => number, scale: number): (text: string) => number {
  return (text) => {
    const tokens = count(text);
    const short = text.match(shortEscapes)?.length ?? 0;
    const long = text.match(longEscapes)?.length ?? 0;
    // An escape takes at most a token a character.
    return Math.max(tokens, Math.ceil((tokens + short + 5 * long) * scale));
  };
}
