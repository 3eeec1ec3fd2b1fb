import { escapeJson } from '../../json/escape-json.ts';
import { runLimited } from '../../util/async/run-limited.ts';
import type { ChunkSummary } from '../../record/summary-result.ts';
import type { SummaryProgress } from '../summary-strategy.ts';
import type { SummaryTask, SummaryWriter } from './summary-writer.ts';

/** Share of a chunk, and of a group of summaries, that its summary is asked for in. */
const chunkShare = 0.15;
const groupShare = 0.5;

/** Tokens of JSON around a summary among others: the last call for a transcript says which part it is of. */
const summaryFrameTokens = 16;

/** One chunk as the model reads it: JSON. */
export type ChunkSource = Pick<SummaryTask, 'content' | 'sourceTokens'>;

/** What {@link summarizeTree} works with. */
export interface TreeOptions {
  readonly chunks: readonly ChunkSource[];
  readonly write: SummaryWriter;
  readonly templates: { readonly chunk: string; readonly meta: string };
  readonly groupSize: number;
  readonly concurrency: number;
  /** Whether there is a layer of groups, however few chunks there are. */
  readonly hasGroups: boolean;
  /** Tokens of summaries that one call may read. */
  readonly readableTokens: number;
  /** Tokens one of them may have. */
  readonly maxSummaryTokens: number;
  readonly onProgress?: ((progress: SummaryProgress) => void) | undefined;
}

/** The layers under a final summary. */
export interface SummaryTree {
  readonly l1Summaries: readonly ChunkSummary[];
  readonly l2Summaries: readonly ChunkSummary[];
  /** Those the final summary is to be made from, in order. */
  readonly top: readonly ChunkSummary[];
}

/** A summary whose group may not be known yet. */
interface Node extends Omit<ChunkSummary, 'parentGroup'> {
  parentGroup: number | undefined;
}

/**
 * Summarises chunks, then groups of them, in parallel within a layer. Where what is left cannot be read
 * in one call, groups are grouped again. Groups are filled from the front, so that a chunk more changes
 * the last one only.
 *
 * @throws What `write` throws. What has been written by then is in the writer's cache.
 */
export async function summarizeTree(options: TreeOptions): Promise<SummaryTree> {
  const { chunks, templates, hasGroups, readableTokens, groupSize } = options;
  const { chunk, meta } = templates;
  const chunkTasks = chunks.map((source, chunkIndex) => ({
    ...source,
    template: chunk,
    targetTokens: Math.ceil(source.sourceTokens * chunkShare),
    chunkIndex,
    total: chunks.length,
  }));
  const l1 = await writeLayer(options, 1, 0, chunkTasks);
  const l2: Node[] = [];
  let top = l1;
  for (let isDue = hasGroups; isDue || isTooLarge(top, readableTokens); isDue = false) {
    const groups = nodeGroups(top, groupSize, readableTokens);
    const tasks = groups.map((group) => ({
      template: meta,
      content: escapeJson(group.map(({ content }) => content)),
      sourceTokens: tokensOf(group),
      targetTokens: Math.ceil(tokensOf(group) * groupShare),
      total: group.length,
    }));
    const layer = await writeLayer(options, 2, l2.length, tasks);
    for (const [position, group] of groups.entries())
      for (const node of group) node.parentGroup = l2.length + position;
    l2.push(...layer);
    top = layer;
  }
  return { l1Summaries: l1, l2Summaries: l2, top };
}

/** Writes the summaries of a layer behind those `before`, of which there are some already. */
async function writeLayer(
  { write, concurrency, maxSummaryTokens, onProgress }: TreeOptions,
  layer: 1 | 2,
  before: number,
  tasks: readonly SummaryTask[],
): Promise<readonly Node[]> {
  let completed = before;
  return runLimited(tasks, concurrency, async (task, index) => {
    const written = await write({ ...task, maxTokens: maxSummaryTokens });
    completed += 1;
    onProgress?.({ layer, completed, total: before + tasks.length });
    const { sourceTokens } = task;
    return { chunkIndex: before + index, sourceTokens, ...written, parentGroup: undefined };
  });
}

function isTooLarge(nodes: readonly Node[], maxTokens: number): boolean {
  return nodes.length > 1 && renderedTokens(nodes) > maxTokens;
}

/** Groups of at most `groupSize` that can be read at once, of two at least: layers must get smaller. */
function nodeGroups(
  nodes: readonly Node[],
  groupSize: number,
  maxTokens: number,
): readonly Node[][] {
  const groups: Node[][] = [];
  let group: Node[] = [];
  for (const node of nodes) {
    const isFull = group.length === groupSize || renderedTokens([...group, node]) > maxTokens;
    if (group.length === 0 || (isFull && group.length > 1)) {
      group = [];
      groups.push(group);
    }
    group.push(node);
  }
  return groups;
}

function tokensOf(nodes: readonly Node[]): number {
  return nodes.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
}

function renderedTokens(nodes: readonly Node[]): number {
  return tokensOf(nodes) + nodes.length * summaryFrameTokens;
}
