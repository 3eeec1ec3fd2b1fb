import { parseJson } from '../json/parse-json.ts';
import { isCount } from '../util/is-count.ts';
import { isObject } from '../util/is-object.ts';

/** Messages that were compressed together. */
export interface ArchiveBlock {
  readonly messages: number;
  /** Values that hold it. */
  readonly parts: number;
}

/** What an archive consists of; written before its parts, so that all of them can be found and removed. */
export interface ArchiveManifest {
  readonly version: 1;
  readonly blocks: readonly ArchiveBlock[];
}

/** Reads a manifest; whatever does not parse is none. */
export function parseManifest(text: string): ArchiveManifest | undefined {
  const value = parseJson(text);
  if (!isObject(value) || value['version'] !== 1) return undefined;
  const { blocks } = value;
  return Array.isArray(blocks) && blocks.every(isBlock) ? { version: 1, blocks } : undefined;
}

/** How many parts the blocks of an archive have together. */
export function partsOf({ blocks }: ArchiveManifest): number {
  return blocks.reduce((sum, { parts }) => sum + parts, 0);
}

function isBlock(block: unknown): block is ArchiveBlock {
  return isObject(block) && isCount(block['messages']) && isCount(block['parts']);
}
