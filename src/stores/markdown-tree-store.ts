import { randomUUID } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { checkInput, checkTexts } from '../checks/check-object.ts';
import { parseJson } from '../util/json.ts';
import { codeOf, messageOf } from '../util/errors.ts';
import type { SummaryTreeNode, SummaryTreeStore } from './summary-store.ts';
import { conversationKey, inLayerOrder, nodeFromFields, treeRecords } from './summary-trees.ts';

/** Options of {@link markdownTreeStore}. */
export interface MarkdownTreeStoreOptions {
  /** Where the files go; made when it is needed. Each conversation has a folder of its own in it. */
  readonly folder: string;
}

/**
 * Keeps summaries as Markdown files with YAML front matter, to be read by people and searched by any
 * tool: `<folder>/<conversation>/summary.md`, where `<conversation>` begins with what is readable of the conversation's
 * id and ends with a hash of it. The file says what the final summary says; its front matter describes that, and holds
 * under `made_from` the summaries that it was made from.
 *
 * A file may be edited; the next `persist` replaces it. It is written beside the one before and takes its place by
 * renaming: a process that dies, and several that write at once, leave a complete one. Lone surrogates in texts and ids
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
  const list: SummaryTreeStore['list'] = async (conversationId) =>
    readTree(join(await folderOf(conversationId), fileName));
  return {
    persist: async (conversationId, result) => {
      // All of it before anything is written: what is wrong must not be found half way.
      const text = await fileOf(conversationId, result);
      const path = await folderOf(conversationId);
      await mkdir(path, { recursive: true, mode: 0o700 });
      const fresh = join(path, `.unread-${randomUUID()}`);
      try {
        await writeFile(fresh, text, { flag: 'wx', mode: 0o600, flush: true });
        await rename(fresh, join(path, fileName));
      } catch (error) {
        await rm(fresh, { force: true });
        throw error;
      }
    },
    getFinalSummary: async (conversationId) => (await list(conversationId)).at(-1)?.content,
    list,
    // With what writers that died have left there.
    delete: async (conversationId) =>
      rm(await folderOf(conversationId), { recursive: true, force: true }),
  };
}

const fileName = 'summary.md';

/** Most a file may hold: more than any model reads. */
const maxMegabytes = 16;

/** The file of a summary, and of those that it was made from. */
async function fileOf(...of: Parameters<SummaryTreeStore['persist']>): Promise<string> {
  const records = treeRecords(...of, new Date().toISOString());
  const final = records.at(-1);
  const below = records
    .slice(0, -1)
    .map(({ fields, node: { content } }) => linesOf({ ...fields, content }, '  - ', '    '));
  const lines = [...linesOf(final?.fields ?? {}), 'made_from:', ...below.flat()];
  return `---\n${lines.join('\n')}\n---\n\n${final?.node.content}\n`;
}

/** A line of YAML for each field, whose value is JSON: any parser reads it. */
function linesOf(fields: object, first = '', rest = ''): readonly string[] {
  return Object.entries(fields).map(
    ([name, value], index) => `${index === 0 ? first : rest}${name}: ${yamlOf(value)}`,
  );
}

/** JSON without the characters that YAML does not take as they are. */
function yamlOf(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Reads the summaries of a file; none where there is no file.
 *
 * @throws {Error} naming the file, when it cannot be read or does not hold them.
 */
async function readTree(file: string): Promise<readonly SummaryTreeNode[]> {
  try {
    const found = await lstat(file);
    // A pipe would never end.
    if (!found.isFile() || found.size > maxMegabytes * 1024 ** 2)
      throw new Error(`it is not a regular file of at most ${maxMegabytes} MB`);
    return await parseFile(new TextDecoder('utf-8', { fatal: true }).decode(await readFile(file)));
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return [];
    throw new Error(`${file}: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Reads a file as it was written, or as a person may have changed it. One whose first line ends with CRLF was
 * converted as a whole.
 */
async function parseFile(file: string): Promise<readonly SummaryTreeNode[]> {
  const text = /^---[ \t]*\r\n/.test(file) ? file.replaceAll('\r\n', '\n') : file;
  const [, yaml, content = ''] = /^---[ \t]*\n([^]*?\n)---[ \t]*(?:\n|$)([^]*)$/.exec(text) ?? [];
  if (yaml === undefined) throw new SyntaxError('expected front matter between two lines ---');
  const { made_from: below, ...fields } = fieldsOf(yaml);
  const nodes = below.map((each) => {
    const { content: words } = each;
    return nodeFromFields(each, typeof words === 'string' ? words : '');
  });
  return inLayerOrder([
    ...nodes,
    nodeFromFields(fields, content.replace(/^\n/, '').replace(/\n$/, '')),
  ]);
}

/**
 * Reads fields as they were written, with comments, and with words and single quotes where a person has put them.
 *
 * @throws {SyntaxError} naming the line, without repeating what stands in it.
 */
function fieldsOf(yaml: string) {
  type Fields = Record<string, unknown>;
  const below: Fields[] = [];
  const all: Fields & { made_from: readonly Fields[] } = Object.assign(Object.create(null), {
    made_from: below,
  });
  let open: Fields = all;
  for (const [index, line] of yaml.split('\n').entries()) {
    if (/^\s*(?:#.*)?$/.test(line) || /^made_from: *$/.test(line)) continue;
    const [named = '', indent, name] = /^( {2}- | {4}|)(\w+):(?=\s|$)/.exec(line) ?? [];
    // The first line is that of the mark.
    const where = `line ${index + 2}`;
    if (name === undefined) throw new SyntaxError(`${where}: expected a name, a colon and a value`);
    if (indent === '') open = all;
    else if (indent === '  - ') below.push((open = Object.create(null)));
    if (Object.hasOwn(open, name)) throw new SyntaxError(`${where}: ${name} is there twice`);
    open[name] = valueOf(line.slice(named.length).trim());
  }
  return all;
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
