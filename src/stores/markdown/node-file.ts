import { dirname, join } from 'node:path';
import { faultsOf, nodeFields, nodeFieldsSchema } from '../trees/node-fields.ts';
import type { SummaryTreeNode } from '../summary-tree-store.ts';
import { SummaryFileError } from './summary-file-error.ts';
import { readRegularFile, refuseLink } from './regular-file.ts';
import { parseDocument, writeDocument } from './front-matter.ts';
import type { SetFile } from './publish-set.ts';

/** Path, inside its set, of the file of a summary. */
export function nodePath({ layer, index }: Pick<SummaryTreeNode, 'layer' | 'index'>): string {
  if (layer === 3) return 'L3/final.md';
  return layer === 1 ? `L1/chunk_${index}.md` : `L2/group_${index}.md`;
}

/**
 * The file of a summary.
 *
 * @throws when a field is not what it has to be, such as a count that is not a number.
 */
export function nodeFile(node: SummaryTreeNode): SetFile {
  const text = writeDocument({ fields: nodeFields(node), content: node.content });
  return { path: nodePath(node), text };
}

/**
 * Reads the file of a summary.
 *
 * @throws {SummaryFileError} when it cannot be read, does not hold one, or not the one that its name says.
 */
export async function readNodeFile(set: string, path: string): Promise<SummaryTreeNode> {
  const file = join(set, path);
  try {
    await refuseLink(dirname(file));
    const bytes = await readRegularFile(file);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const { fields, content } = await parseDocument(text);
    const { success, data, error } = nodeFieldsSchema.safeParse(fields);
    if (!success) throw new SyntaxError(faultsOf(error));
    if (nodePath(data) !== path) throw new SyntaxError(`its fields are those of ${nodePath(data)}`);
    return { ...data, content };
  } catch (cause) {
    throw new SummaryFileError({ path: file, cause });
  }
}
