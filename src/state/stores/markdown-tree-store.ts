import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkInput, checkTexts } from '../../foundations/checks/check-object.ts';
import { parseJson } from '../../foundations/util/json.ts';
import { codeOf, messageOf } from '../../foundations/util/errors.ts';
import type { SummaryTreeNode, SummaryTreeStore } from './summary-store.ts';
import {
  conversationKey,
  inLayerOrder,
  nodeFromFields,
  type TreeRecord,
  treeRecords,
} from './summary-trees.ts';

/** Options of {@link markdownTreeStore}. */
export interface MarkdownTreeStoreOptions {
  /** Where the files go; made when it is needed. Each conversation has a folder of its own in it. */
  readonly folder: string;
}

/**
 * Keeps summaries as Markdown files with YAML front matter, to be read by people and searched by any
 * tool, in a folder for each conversation: `<folder>/<conversation>/L3.md` is the final summary, and links those that it
 * was made from, `L2-000.<tree>.md` and so on, which link chunks, `L1-000.<tree>.md`. `<conversation>` begins with what is
 * readable of the conversation's id and ends with a hash of it, `<tree>` is another one for each `persist`.
 *
 * A file may be edited; the next `persist` replaces it. `L3.md` is written last, and takes the place of the one before by
 * renaming: a process that dies, and several that write at once, leave a complete tree. Lone surrogates in texts and ids
 * become U+FFFD, as UTF-8 has none.
 *
 * Files are readable to their owner alone (0600, folders 0700). Links, pipes, devices and files of more than 16 MB
 * in the place of its own are refused.
 *
 * `list` and `getFinalSummary` reject with an `Error` naming the file where it cannot be read.
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
    const found = await lstat(path).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw error;
    });
    // A path through a link would read, write or delete somewhere else.
    if (found?.isDirectory() === false)
      throw new Error(`${path} is not a folder but a link or a file.`);
    return path;
  };
  return {
    persist: async (conversationId, result) => {
      // All of it before anything is written: what is wrong must not be found half way.
      const records = treeRecords(conversationId, result, new Date().toISOString());
      await writeTree(await folderOf(conversationId), records);
    },
    getFinalSummary: async (conversationId) =>
      (await readNode(join(await folderOf(conversationId), finalName)))?.node.content,
    list: async (conversationId) => readTree(await folderOf(conversationId)),
    // With what writers that died have left there.
    delete: async (conversationId) =>
      rm(await folderOf(conversationId), { recursive: true, force: true }),
  };
}

const finalName = 'L3.md';

/** Most a file may hold: more than any model reads. */
const maxMegabytes = 16;

/** Milliseconds within which a tree is written: older files of another one belong to a process that died. */
const longestWriteMs = 3_600_000;

/** The name of a summary in headings and links, such as `L1-007`. */
function nameOf({ layer, index }: Pick<SummaryTreeNode, 'layer' | 'index'>): string {
  return layer === 3 ? 'L3' : `L${layer}-${String(index).padStart(3, '0')}`;
}

/** The files of a folder, final summaries aside, of one tree or of all. */
async function partsIn(folder: string, tree?: string): Promise<readonly string[]> {
  const parts = (await readdir(folder)).filter((name) => /^L[12]-\d+\.[0-9a-f]{8}\.md$/.test(name));
  const own = parts.filter((name) => tree === undefined || name.endsWith(`.${tree}.md`));
  return own.map((name) => join(folder, name));
}

/** Writes a tree beside the one before, puts it in its place, and removes that one. */
async function writeTree(folder: string, records: readonly TreeRecord[]): Promise<void> {
  const tree = randomUUID().slice(0, 8);
  const fresh = join(folder, `.unread-${tree}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const before = await readNode(join(folder, finalName)).catch(() => undefined);
  try {
    await eachOf(records, async (record) => {
      const { node } = record;
      const file = node.layer === 3 ? fresh : join(folder, `${nameOf(node)}.${tree}.md`);
      const text = fileOf(record, tree, records);
      await writeFile(file, text, { flag: 'wx', mode: 0o600, flush: true });
    });
    await rename(fresh, join(folder, finalName));
  } catch (error) {
    await eachOf([fresh, ...(await partsIn(folder, tree))], remove);
    throw error;
  }
  await eachOf(await partsIn(folder), async (file) => {
    if (file.endsWith(`.${tree}.md`)) return;
    const isReplaced = before !== undefined && file.endsWith(`.${before.tree}.md`);
    const { mtimeMs = 0 } = isReplaced ? {} : ((await lstat(file).catch(() => undefined)) ?? {});
    if (mtimeMs < Date.now() - longestWriteMs) await remove(file);
  });
}

async function remove(file: string): Promise<void> {
  await rm(file, { force: true });
}

/** Works on some items, a few at a time. */
async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  for (let from = 0; from < items.length; from += 32)
    await Promise.all(items.slice(from, from + 32).map(work));
}

/** The file of a summary, with links to those that it was made from. */
function fileOf(
  { fields, node }: TreeRecord,
  tree: string,
  records: readonly TreeRecord[],
): string {
  const lines = Object.entries({ ...fields, tree }).map(
    ([name, value]) => `${name}: ${yamlOf(value)}`,
  );
  const { layer, index } = node;
  const below = records.filter(({ node: each }) =>
    layer === 3
      ? each.layer < 3 && each.parentGroup === undefined
      : each.layer < layer && each.parentGroup === index,
  );
  const links = below.map(({ node: each }) => `- [${nameOf(each)}](${nameOf(each)}.${tree}.md)\n`);
  const end = links.length === 0 ? '' : `${linksHeading}${links.join('')}`;
  return `---\n${lines.join('\n')}\n---\n\n${headingOf(node)}${node.content}\n${end}`;
}

function headingOf(node: SummaryTreeNode): string {
  return `# ${nameOf(node)}\n\n`;
}

const linksHeading = '\n## Made from\n\n';

/** JSON without the characters that YAML does not take as they are. */
function yamlOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Reads the tree of a folder, and again where another one took its place meanwhile. */
async function readTree(folder: string): Promise<readonly SummaryTreeNode[]> {
  const file = join(folder, finalName);
  for (;;) {
    const final = await readNode(file);
    if (final === undefined) return [];
    const nodes = [final.node];
    await eachOf(await partsIn(folder, final.tree), async (part) => {
      const { node } = (await readNode(part)) ?? {};
      if (node !== undefined) nodes.push(node);
    });
    // The sources of a tree are removed only after the tree was replaced.
    if ((await readNode(file))?.tree === final.tree) return inLayerOrder(nodes);
  }
}

/** A summary as its file holds it, and the name of its tree. */
interface StoredNode {
  readonly node: SummaryTreeNode;
  readonly tree: string;
}

/**
 * Reads the summary of a file; `undefined` where there is no file.
 *
 * @throws {Error} naming the file, when it cannot be read or does not hold one.
 */
async function readNode(file: string): Promise<StoredNode | undefined> {
  try {
    const found = await lstat(file);
    // A pipe would never end.
    if (!found.isFile() || found.size > maxMegabytes * 1024 ** 2)
      throw new Error(`it is not a regular file of at most ${maxMegabytes} MB`);
    return parseFile(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw new Error(`${file}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Reads a file as it was written, or as a person may have changed it. One whose first line ends with CRLF was
 * converted as a whole.
 */
function parseFile(file: string): StoredNode {
  const text = /^---[ \t]*\r\n/.test(file) ? file.replaceAll('\r\n', '\n') : file;
  const [, yaml, rest = ''] = /^---[ \t]*\n([^]*?\n)---[ \t]*(?:\n|$)([^]*)$/.exec(text) ?? [];
  if (yaml === undefined) throw new SyntaxError('expected front matter between two lines ---');
  const fields = fieldsOf(yaml);
  const tree = String(fields['tree']);
  const node = nodeFromFields(fields, '');
  const heading = headingOf(node);
  const body = rest.replace(/^\n/, '');
  const start = body.startsWith(heading) ? heading.length : 0;
  // Only those of this tree are links, and no part of the summary.
  const links = body.lastIndexOf(linksHeading);
  const end = links >= 0 && body.includes(`.${tree}.md)`, links) ? links : body.length;
  return { node: { ...node, content: body.slice(start, end).replace(/\n$/, '') }, tree };
}

/**
 * Reads fields as they were written, with comments, and with words and single quotes where a person has put them.
 *
 * @throws {SyntaxError} naming the line, without repeating what stands in it.
 */
function fieldsOf(yaml: string): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = Object.create(null);
  for (const [index, line] of yaml.split('\n').entries()) {
    if (/^\s*(?:#.*)?$/.test(line)) continue;
    const [named = '', name] = /^(\w+):(?=\s|$)/.exec(line) ?? [];
    // The first line is that of the mark.
    const where = `line ${index + 2}`;
    if (name === undefined) throw new SyntaxError(`${where}: expected a name, a colon and a value`);
    if (Object.hasOwn(fields, name)) throw new SyntaxError(`${where}: ${name} is there twice`);
    fields[name] = valueOf(line.slice(named.length).trim());
  }
  return fields;
}

/** A value: JSON, else a text, with or without single quotes; what follows ` #` is a comment. */
function valueOf(text: string): unknown {
  const [quoted] = /^(?:"(?:[^"\\]|\\.)*"|'[^']*')/.exec(text) ?? [];
  if (quoted?.startsWith("'") === true) return quoted.slice(1, -1);
  const bare = quoted ?? text.split(' #', 1).join('').trimEnd();
  return bare === 'null' ? null : (parseJson(bare) ?? bare);
}

/**
 * The name of a conversation's folder: what is readable of the id, and 128 bits of its hash. One name for
 * each id, whatever it holds: only `a-z`, `0-9` and `-`, so that it neither leaves the folder nor meets
 * another one where case does not count, and never a name that Windows reserves.
 */
async function folderName(conversationId: string): Promise<string> {
  const readable = conversationId.slice(0, 40).toLowerCase();
  const words = readable.match(/[a-z0-9]+/g) ?? [];
  return [...words, (await conversationKey(conversationId)).slice(0, 32)].join('-');
}
