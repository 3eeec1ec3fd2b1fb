import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkInput, checkObject, checkTexts } from '../../checks/check-object.ts';
import { anyString, integer } from '../../checks/option-rule.ts';
import type { SummaryTreeNode, SummaryTreeStore } from '../summary-tree-store.ts';
import { unless } from '../../util/code-of.ts';
import { runLimited } from '../../util/async/run-limited.ts';
import { treeNodes } from '../trees/tree-nodes.ts';
import { nodeFile, nodePath, readNodeFile } from './node-file.ts';
import { publishSet } from './publish-set.ts';
import { readSet } from './read-set.ts';
import { keptSets } from './set-history.ts';
import { concurrentFiles, deleteSets, namesIn } from './set-names.ts';

/** Options of {@link markdownTreeStore}. */
export interface MarkdownTreeStoreOptions {
  /** Where the files go; made when it is needed. Each conversation has a folder of its own in it. */
  readonly folder: string;
  /**
   * Earlier trees of a conversation that are kept, in its folder `history`, for `history`. Minimum: 0.
   * @default 0
   */
  readonly keepEarlier?: number | undefined;
}

/**
 * Keeps summaries as Markdown files with YAML front matter, to be read by people and searched by any
 * tool: `<folder>/<conversation>/summaries/L1/chunk_0.md`, `L2/group_0.md`, `L3/final.md`, where
 * `<conversation>` begins with what is readable of the conversation's id and ends with a hash of it.
 *
 * Files may be edited; the next `persist` replaces them all. A set is written beside the one it replaces
 * and takes its place by renaming: a process that dies, and several that write at once, leave one
 * complete set. Lone surrogates in a text become U+FFFD, as UTF-8 has none.
 *
 * Files are readable to their owner alone (0600, folders 0700). Links, pipes, devices and files of more than 16 MB
 * in the place of its own are refused, and front matter of more than 65,536 characters: `persist` rejects for an id
 * that would make it longer.
 *
 * `list` and `getFinalSummary` reject with a `SummaryFileError` for a file that cannot be read.
 *
 * @example
 * summarizationMiddleware({ summaryTreeStore: markdownTreeStore({ folder: 'memory' }) });
 *
 * @throws {SummarizationOptionError} when `folder` is not a text or is empty.
 */
export function markdownTreeStore(options: MarkdownTreeStoreOptions): SummaryTreeStore {
  checkInput(options, 'folder');
  checkObject(options, { folder: anyString, keepEarlier: integer(0) }, '');
  const { folder, keepEarlier = 0 } = options;
  checkTexts({ folder }, 'a string that is not empty');
  const root = resolve(folder);
  const folderOf = (conversationId: string): string =>
    join(root, conversationFolder(conversationId));
  return {
    persist: async (conversationId, result) => {
      const nodes = treeNodes(conversationId, result, new Date().toISOString());
      await publishSet(folderOf(conversationId), nodes.map(nodeFile), keepEarlier);
    },
    getFinalSummary: async (conversationId) =>
      readSet(folderOf(conversationId), async (set) => (await readFinalFile(set)).content),
    list: async (conversationId) => (await readSet(folderOf(conversationId), readNodes)) ?? [],
    history: async (conversationId) => {
      const sets = (await keptSets(folderOf(conversationId))).slice(0, keepEarlier);
      const trees = await Promise.all(sets.map((set) => unlessRemoved(set, readNodes(set))));
      return trees.filter((tree) => tree !== undefined);
    },
    delete: async (conversationId) => deleteSets(folderOf(conversationId)),
  };
}

/** A set may leave while it is read, because a newer one is kept. */
async function unlessRemoved<Read>(set: string, reading: Promise<Read>): Promise<Read | undefined> {
  try {
    return await reading;
  } catch (error) {
    const isThere = await unless(['ENOENT'], stat(set));
    if (isThere !== undefined) throw error;
    return undefined;
  }
}

async function readFinalFile(set: string): Promise<SummaryTreeNode> {
  return readNodeFile(set, nodePath({ layer: 3, index: 0 }));
}

async function readNodes(set: string): Promise<readonly SummaryTreeNode[]> {
  return [
    ...(await readLayer(set, 'L1', /^chunk_\d+\.md$/)),
    ...(await readLayer(set, 'L2', /^group_\d+\.md$/)),
    await readFinalFile(set),
  ];
}

async function readLayer(
  set: string,
  layer: string,
  pattern: RegExp,
): Promise<readonly SummaryTreeNode[]> {
  const names = (await namesIn(join(set, layer))).filter((name) => pattern.test(name));
  const nodes = await runLimited(names, concurrentFiles, async (name) =>
    readNodeFile(set, `${layer}/${name}`),
  );
  return nodes.toSorted((a, b) => a.index - b.index);
}

/** Characters of an id that are repeated in the name of its folder. */
const readableCharacters = 40;

/**
 * The name of a conversation's folder: what is readable of the id, and 128 bits of its hash. One name for
 * each id, whatever it holds: only `a-z`, `0-9` and `-`, so that it neither leaves the folder nor meets
 * another one where case does not count, and never a name that Windows reserves.
 */
function conversationFolder(conversationId: string): string {
  // As JSON, because UTF-8 has one and the same code for every lone surrogate.
  const hash = createHash('sha256').update(JSON.stringify(conversationId)).digest('hex');
  const readable = conversationId
    .slice(0, readableCharacters)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return [readable, hash.slice(0, 32)].filter((part) => part !== '').join('-');
}
