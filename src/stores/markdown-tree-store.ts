import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkInput, checkTexts } from '../checks/check-object.ts';
import { SDKError } from '../errors/sdk-error.ts';
import { runLimited } from '../util/async/waiting.ts';
import { unless, messageOf } from '../util/errors.ts';
import type { SummaryTreeNode, SummaryTreeStore } from './summary-store.ts';
import { conversationKey, inOrder, nodeOf, treeRecords } from './summary-trees.ts';

/** Options of {@link markdownTreeStore}. */
export interface MarkdownTreeStoreOptions {
  /** Where the files go; made when it is needed. Each conversation has a folder of its own in it. */
  readonly folder: string;
}

/**
 * Keeps summaries as Markdown files with YAML front matter, to be read by people and searched by any
 * tool: `<folder>/<conversation>/<set>/L1/chunk_0.md`, `L2/group_0.md`, `L3/final.md`, where
 * `<conversation>` begins with what is readable of the conversation's id and ends with a hash of it, and
 * `<set>` begins with a number that grows with each `persist`.
 *
 * Files may be edited; the next `persist` replaces them all. A set is written beside the one it replaces
 * and takes its place by renaming: a process that dies, and several that write at once, leave one
 * complete set. Lone surrogates in texts and ids become U+FFFD, as UTF-8 has none.
 *
 * Files are readable to their owner alone (0600, folders 0700). Links, pipes, devices and files of more than 16 MB
 * in the place of its own are refused.
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
  const { folder } = options;
  checkTexts({ folder }, 'a string that is not empty');
  const folderOf = async (conversationId: string): Promise<string> => {
    const path = resolve(folder, await folderName(conversationId));
    await checkFolder(path);
    return path;
  };
  return {
    persist: async (conversationId, result) => {
      // All of it before anything is written: what is wrong must not be found half way.
      const records = treeRecords(conversationId, result, new Date().toISOString());
      await publish(await folderOf(conversationId), records);
    },
    getFinalSummary: async (conversationId) => {
      const [final] = await readNewest(await folderOf(conversationId), async () => [finalPath]);
      return final?.content;
    },
    list: async (conversationId) => readNewest(await folderOf(conversationId), pathsIn),
    delete: async (conversationId) => {
      const path = await folderOf(conversationId);
      // The newest last: without it, an earlier one would hold again.
      for (const name of (await namesIn(path)).toReversed()) await removeFrom(path, name);
      await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(path));
    },
  };
}

const markerOfFileErrors = 'ai-sdk-summarization.error.SummaryFileError';

/** Thrown when a summary file cannot be read, for instance because it was changed by hand. */
export class SummaryFileError extends SDKError {
  /** Path of the file. */
  readonly path: string;

  constructor({ path, cause }: { path: string; cause: unknown }) {
    super({ name: 'SummaryFileError', message: `${path}: ${messageOf(cause)}`, cause });
    this.path = path;
    Object.defineProperty(this, Symbol.for(markerOfFileErrors), { value: true });
  }

  /** Recognises the error across copies of the package and realms. */
  static override isInstance(error: unknown): error is SummaryFileError {
    return SDKError.hasMarker(error, markerOfFileErrors);
  }
}

/** Begins the name of a set: of all, the one with the highest number holds. */
const setNumber = /^\d+-/;

/** Begins the name of what nobody reads: it is being written, or was, or is on its way out. */
const unread = '.unread-';

/** Milliseconds after which a set that was never published counts as left behind by a writer that died. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Times a reader begins again, because the set was replaced. */
const attempts = 1000;

/** Files of a set that are read or written at the same time. */
const concurrentFiles = 16;

/** Most a file of a summary may hold: more than any model reads. */
const maxMegabytes = 16;

const finalPath = 'L3/final.md';

/**
 * Writes a set of files and lets it hold by renaming, then removes those before it, and what writers that died have left
 * behind. Takes no lock: whenever a process dies, and however many publish at once, the one that holds is complete.
 */
async function publish(folder: string, records: ReturnType<typeof treeRecords>): Promise<void> {
  // Only who keeps or reads summaries needs it.
  const { dump } = await import('js-yaml');
  const fresh = join(folder, `${unread}${randomUUID()}`);
  await runLimited(records, concurrentFiles, async ({ node, fields }) => {
    const file = join(fresh, pathOf(node));
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const text = `---\n${dump(fields, { lineWidth: -1 })}---\n\n${node.content}\n`;
    await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
  });
  const [newest = '0'] = await namesIn(folder);
  const number = (Number.parseInt(newest, 10) || 0) + 1;
  await rename(fresh, join(folder, `${number}-${randomUUID()}`));
  try {
    const [, ...others] = await namesIn(folder);
    for (const name of others) {
      const { mtimeMs } = await lstat(join(folder, name));
      const isAbandoned = mtimeMs < Date.now() - abandonedAfterMs;
      if (setNumber.test(name) || isAbandoned) await removeFrom(folder, name);
    }
  } catch {
    // What cannot be removed now is left to the next time: what counts is done.
  }
}

/** Removes what is in a folder, if it is there, in such a way that nobody reads half of it. */
async function removeFrom(folder: string, name: string): Promise<void> {
  const trash = join(folder, `${unread}${randomUUID()}`);
  await unless(['ENOENT'], rename(join(folder, name), trash));
  await rm(trash, { recursive: true, force: true });
}

/** What is ours in the folder of a conversation: sets, the newest first, and behind them what nobody reads. */
async function namesIn(folder: string): Promise<readonly string[]> {
  const names = (await unless(['ENOENT'], readdir(folder))) ?? [];
  return names
    .filter((name) => setNumber.test(name) || name.startsWith(unread))
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }));
}

/** Reads files of the set that holds in a folder; none where there is no set. */
async function readNewest(
  folder: string,
  pathsOf: (set: string) => Promise<readonly string[]>,
): Promise<readonly SummaryTreeNode[]> {
  const newest = async (): Promise<string | undefined> =>
    (await namesIn(folder)).find((name) => setNumber.test(name));
  for (let attempt = 1; ; attempt += 1) {
    const name = await newest();
    if (name === undefined) return [];
    const set = join(folder, name);
    try {
      await checkFolder(set);
      const read = async (path: string): Promise<SummaryTreeNode> => readNode(set, path);
      return inOrder(await runLimited(await pathsOf(set), concurrentFiles, read));
    } catch (error) {
      // It may have been replaced while it was read.
      if (attempt === attempts || (await newest()) === name) throw error;
    }
  }
}

/** @throws {Error} where a path is a link: what is read, written or deleted in it would be somewhere else. */
async function checkFolder(path: string): Promise<void> {
  const found = await unless(['ENOENT'], lstat(path));
  if (found?.isDirectory() === false)
    throw new Error(`${path} is not a folder but a link or a file.`);
}

/** Paths of the files of a set. */
async function pathsIn(set: string): Promise<readonly string[]> {
  const names = (await readdir(set, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  return [...names.filter((name) => /^L(?:1\/chunk|2\/group)_\d+\.md$/.test(name)), finalPath];
}

/** Path of the file of a summary inside its set. */
function pathOf({ layer, index }: SummaryTreeNode): string {
  return layer === 3 ? finalPath : `L${layer}/${layer === 1 ? 'chunk' : 'group'}_${index}.md`;
}

/**
 * Reads the file of a summary.
 *
 * @throws {SummaryFileError} when it cannot be read, does not hold one, or not the one that its name says.
 */
async function readNode(set: string, path: string): Promise<SummaryTreeNode> {
  const file = join(set, path);
  try {
    await checkFolder(dirname(file));
    const found = await lstat(file);
    // A pipe would never end.
    if (!found.isFile() || found.size > maxMegabytes * 1024 ** 2)
      throw new Error(`it is not a regular file of at most ${maxMegabytes} MB`);
    const node = await parseFile(
      new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)),
    );
    if (pathOf(node) !== path) throw new SyntaxError(`its fields are those of ${pathOf(node)}`);
    return node;
  } catch (cause) {
    throw new SummaryFileError({ path: file, cause });
  }
}

/**
 * Reads a file as it was written, or as a person may have changed it. One whose first line ends with CRLF was
 * converted as a whole.
 */
async function parseFile(file: string): Promise<SummaryTreeNode> {
  const text = /^---[ \t]*\r\n/.test(file) ? file.replaceAll('\r\n', '\n') : file;
  const [first, end] = text.matchAll(/(?<![^\n])---[ \t]*(?![^\n])/g);
  if (first?.index !== 0) throw new SyntaxError('line 1: expected ---');
  if (end === undefined) throw new SyntaxError('the front matter has no end: expected a line ---');
  const content = text.slice(end.index + end[0].length).replace(/^\n{1,2}/, '');
  const { CORE_SCHEMA, load, YAMLException } = await import('js-yaml');
  try {
    const fields = load(text.slice(first[0].length, end.index), { schema: CORE_SCHEMA });
    return nodeOf(fields, content.replace(/\n$/, ''));
  } catch (error) {
    // Its message repeats what stands in the file.
    throw error instanceof YAMLException
      ? new SyntaxError(`line ${(error.mark?.line ?? 0) + 1}: ${error.reason}`)
      : error;
  }
}

/** Characters of an id that are repeated in the name of its folder. */
const readableCharacters = 40;

/**
 * The name of a conversation's folder: what is readable of the id, and 128 bits of its hash. One name for
 * each id, whatever it holds: only `a-z`, `0-9` and `-`, so that it neither leaves the folder nor meets
 * another one where case does not count, and never a name that Windows reserves.
 */
async function folderName(conversationId: string): Promise<string> {
  const words =
    conversationId
      .slice(0, readableCharacters)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return [...words, (await conversationKey(conversationId)).slice(0, 32)].join('-');
}
