import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { checkInput, checkObject, checkTexts } from '../checks/check-object.ts';
import { anyString, integer } from '../checks/option-rule.ts';
import { SDKError } from '../errors/sdk-error.ts';
import { runLimited } from '../util/async/run-limited.ts';
import { unless } from '../util/code-of.ts';
import { messageOf } from '../util/message-of.ts';
import type { SummaryTreeNode, SummaryTreeStore } from './summary-trees.ts';
import { conversationKey, inOrder, nodeOf, treeRecords, type TreeRecord } from './tree-nodes.ts';

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
  checkObject(options, { folder: anyString, keepEarlier: integer(0) }, '');
  const { folder, keepEarlier = 0 } = options;
  checkTexts({ folder }, 'a string that is not empty');
  const root = resolve(folder);
  const folderOf = async (conversationId: string): Promise<string> => {
    const path = join(root, await folderName(conversationId));
    // What is written or deleted in a link would be somewhere else.
    await identityOf(path);
    return path;
  };
  return {
    persist: async (conversationId, result) => {
      const records = treeRecords(conversationId, result, new Date().toISOString());
      await publish(await folderOf(conversationId), records, keepEarlier);
    },
    getFinalSummary: async (conversationId) =>
      (await readHolding(await folderOf(conversationId), readFinal))?.at(-1)?.content,
    list: async (conversationId) =>
      (await readHolding(await folderOf(conversationId), readNodes)) ?? [],
    history: async (conversationId) => {
      const earlier = (await setsIn(await folderOf(conversationId))).slice(1, 1 + keepEarlier);
      const trees = await Promise.all(earlier.map(async (set) => readSet(set, readNodes)));
      // One may leave while it is read, because a newer one is kept.
      return trees.filter((tree) => tree !== undefined);
    },
    delete: async (conversationId) => {
      const path = await folderOf(conversationId);
      const names = (await namesIn(path)).filter((name) => unread.test(name));
      // The current one last: without it, an earlier one would hold again.
      for (const name of [...names, earlierSets, currentSet])
        await removeFrom(path, join(path, name));
      await removeIfEmpty(path);
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

/**
 * What lies in the folder of a conversation: the set of files that holds, and in a folder those that newer ones have
 * replaced, each named by when that was. Their newest holds where there is no other, because a writer died before it
 * put its own in that place.
 */
const currentSet = 'summaries';
const earlierSets = 'history';

/** Names of what nobody reads: what is being written, or was, and what is on its way out. */
const unread = /^\.(?:new|old|trash)-/;

/** Milliseconds after which a set that was never published counts as left behind by a writer that died. */
const abandonedAfterMs = 60 * 60 * 1000;

/** Times a writer gives way to others that publish at the same moment, and a reader begins again. */
const attempts = 1000;

/** Files of a set that are read or written at the same time. */
const concurrentFiles = 16;

/** Most a file of a summary may hold: more than any model reads. */
const maxMegabytes = 16;

const finalPath = 'L3/final.md';

/**
 * Writes a set of files beside the current one and puts it in its place by renaming. Takes no lock: whenever a process
 * dies, and however many publish at once, the current set is a complete one, or the newest of the earlier ones is.
 */
async function publish(
  folder: string,
  records: readonly TreeRecord[],
  keepEarlier: number,
): Promise<void> {
  const files = records.map((record) => ({ path: pathOf(record.node), text: fileOf(record) }));
  const fresh = join(folder, `.new-${randomUUID()}`);
  try {
    for (const layer of new Set(files.map(({ path }) => dirname(join(fresh, path)))))
      await mkdir(layer, { recursive: true, mode: 0o700 });
    await runLimited(files, concurrentFiles, async ({ path, text }) =>
      writeFile(join(fresh, path), text, { flag: 'wx', mode: 0o600, flush: true }),
    );
    await replaceCurrent(folder, fresh);
  } finally {
    await removeFrom(folder, fresh).catch(() => {});
  }
  // What cannot be removed now is left to the next time: what counts is done.
  await clearAway(folder, keepEarlier).catch(() => {});
}

let lastTime = 0;

/** Moves the current set to the earlier ones until this one can take its place. */
async function replaceCurrent(folder: string, fresh: string): Promise<void> {
  const current = join(folder, currentSet);
  // Windows says EPERM or EACCES where others say that the folder is not empty.
  const taken = ['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'];
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    const renaming = rename(fresh, current).then(() => true);
    if ((await unless(taken, renaming)) === true) return;
    // Names in the order of time, without what file systems refuse.
    lastTime = Math.max(Date.now(), lastTime + 1);
    const time = new Date(lastTime).toISOString().replaceAll(':', '-');
    await unless(['EEXIST'], mkdir(join(folder, earlierSets), 0o700));
    // Another writer may be faster.
    await unless(['ENOENT'], rename(current, join(folder, earlierSets, `${time}-${randomUUID()}`)));
  }
  await rename(fresh, current);
}

/** Removes the sets that are not kept, and what writers that died have left behind. */
async function clearAway(folder: string, keepEarlier: number): Promise<void> {
  for (const set of (await setsIn(folder)).slice(1 + keepEarlier)) await removeFrom(folder, set);
  await removeIfEmpty(join(folder, earlierSets));
  for (const name of (await namesIn(folder)).filter((found) => unread.test(found))) {
    const path = join(folder, name);
    const { mtimeMs } = await lstat(path);
    if (!name.startsWith('.new-') || mtimeMs < Date.now() - abandonedAfterMs)
      await removeFrom(folder, path);
  }
}

/** Removes what is in a folder, if it is there, in such a way that nobody reads half of it. */
async function removeFrom(folder: string, path: string): Promise<void> {
  const trash = join(folder, `.trash-${randomUUID()}`);
  await unless(['ENOENT'], rename(path, trash));
  await rm(trash, { recursive: true, force: true });
}

async function removeIfEmpty(folder: string): Promise<void> {
  await unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], rmdir(folder));
}

/** The names in a folder; none when it does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await unless(['ENOENT'], readdir(folder))) ?? [];
}

/** The paths of the sets in a folder, the newest first: the one that holds, and those that it has replaced. */
async function setsIn(folder: string): Promise<readonly string[]> {
  const current = join(folder, currentSet);
  const history = join(folder, earlierSets);
  await identityOf(history);
  // Before the current one is looked at: of what is moved here later nothing is taken for replaced.
  const names = (await namesIn(history)).filter((name) => /^\d{4}-/.test(name)).toSorted();
  const earlier = names.toReversed().map((name) => join(history, name));
  return (await identityOf(current)) === undefined ? earlier : [current, ...earlier];
}

type Nodes = readonly SummaryTreeNode[];
type ReadNodes = (set: string) => Promise<Nodes>;

/** Reads the set that holds in a folder; `undefined` when there is none. */
async function readHolding(folder: string, read: ReadNodes): Promise<Nodes | undefined> {
  for (let attempt = 1; attempt < attempts; attempt += 1) {
    const [set] = await setsIn(folder);
    const nodes = set === undefined ? undefined : await readSet(set, read);
    if (nodes !== undefined) return nodes;
    const names = await namesIn(folder);
    // Else it was published or replaced in between.
    if (![currentSet, earlierSets].some((name) => names.includes(name))) return undefined;
  }
  throw new Error(`${folder} is replaced faster than it can be read.`);
}

/** Reads a set, from first to last file the same one; `undefined` when it leaves meanwhile. */
async function readSet(set: string, read: ReadNodes): Promise<Nodes | undefined> {
  const identity = await identityOf(set);
  const isThere = async () => identity !== undefined && (await identityOf(set)) === identity;
  try {
    const nodes = await read(set);
    return (await isThere()) ? nodes : undefined;
  } catch (error) {
    if (await isThere()) throw error;
    return undefined;
  }
}

/**
 * Which folder has a path; `undefined` when there is none.
 *
 * @throws {Error} where it is a link: what is read, written or deleted in it would be somewhere else.
 */
async function identityOf(path: string): Promise<string | undefined> {
  const found = await unless(['ENOENT'], lstat(path, { bigint: true }));
  if (found === undefined) return undefined;
  if (!found.isDirectory()) throw new Error(`${path} is not a folder but a link or a file.`);
  // A number alone may be given to another folder as soon as this one is gone.
  return `${found.dev} ${found.ino} ${found.birthtimeNs}`;
}

async function readFinal(set: string): Promise<Nodes> {
  return [await readNode(set, finalPath)];
}

async function readNodes(set: string): Promise<Nodes> {
  const names = (await readdir(set, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const paths = names.filter((name) => /^L(?:1\/chunk|2\/group)_\d+\.md$/.test(name));
  const read = async (path: string): Promise<SummaryTreeNode> => readNode(set, path);
  return inOrder(await runLimited([...paths, finalPath], concurrentFiles, read));
}

/**
 * Reads the file of a summary.
 *
 * @throws {SummaryFileError} when it cannot be read, does not hold one, or not the one that its name says.
 */
async function readNode(set: string, path: string): Promise<SummaryTreeNode> {
  const file = join(set, path);
  try {
    await identityOf(dirname(file));
    const found = await lstat(file);
    // A pipe would never end.
    if (!found.isFile() || found.size > maxMegabytes * 1024 ** 2)
      throw new Error(`it is not a regular file of at most ${maxMegabytes} MB`);
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file));
    const node = await parseFile(text);
    if (pathOf(node) !== path) throw new SyntaxError(`its fields are those of ${pathOf(node)}`);
    return node;
  } catch (cause) {
    throw new SummaryFileError({ path: file, cause });
  }
}

/** Path of the file of a summary inside its set. */
function pathOf({ layer, index }: Pick<SummaryTreeNode, 'layer' | 'index'>): string {
  if (layer === 3) return finalPath;
  return layer === 1 ? `L1/chunk_${index}.md` : `L2/group_${index}.md`;
}

/** Words that YAML takes for a text, without quotes. */
const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z]+$/i;

/** Characters that JSON leaves as they are and YAML reads as a line break or not at all. */
const notInYaml = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

function fileOf({ node, fields }: TreeRecord): string {
  const lines = Object.entries(fields).map(([name, value]) => {
    if (typeof value === 'string' && plainWord.test(value)) return `${name}: ${value}`;
    // JSON is YAML, apart from these.
    const json = JSON.stringify(value).replace(
      notInYaml,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    return `${name}: ${json}`;
  });
  return ['---', ...lines, '---', '', node.content, ''].join('\n');
}

/**
 * Reads a file as it was written, or as a person may have changed it. One whose first line ends with CRLF was
 * converted as a whole.
 */
async function parseFile(file: string): Promise<SummaryTreeNode> {
  const lines = (/^---[ \t]*\r\n/.test(file) ? file.replaceAll('\r\n', '\n') : file).split('\n');
  const [first, end = 0] = lines.flatMap((line, index) => (/^---[ \t]*$/.test(line) ? index : []));
  if (first !== 0) throw new SyntaxError('line 1: expected ---');
  if (end === 0) throw new SyntaxError('the front matter has no end: expected a line ---');
  const rest = lines.slice(lines[end + 1] === '' ? end + 2 : end + 1);
  const content = rest.join('\n').replace(/\n$/, '');
  // Only who reads summaries needs it.
  const { CORE_SCHEMA, load, YAMLException } = await import('js-yaml');
  try {
    const fields = load(['', ...lines.slice(1, end)].join('\n'), { schema: CORE_SCHEMA });
    return nodeOf(fields, content);
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
  const readable = conversationId
    .slice(0, readableCharacters)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const key = (await conversationKey(conversationId)).slice(0, 32);
  return readable === '' ? key : `${readable}-${key}`;
}
