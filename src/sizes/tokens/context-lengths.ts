import {
  hostOf,
  modelNameParts,
  modelNames,
  oncePerModel,
} from '../../prompt/messages/model-name.ts';
import type { ModelIdentity } from '../../prompt/messages/prompt-types.ts';
import { hosts, modelFamilies } from './model-windows.ts';

/** How much a model accepts. */
export interface ContextLength {
  /** Tokens of prompt and answer together. */
  readonly contextLength: number;
  /** Tokens of the prompt alone, if the provider limits them further. */
  readonly inputLimit?: number | undefined;
  /**
   * Whether the model is in the table. `false` means a guess: the length of the newest listed model of its family for a
   * newer version, else 128,000.
   */
  readonly known: boolean;
}

/** Assumed context length of an unknown model. */
export const unknownContextLength = 128_000;

/** Contents of a row. */
export type Limits = Omit<ContextLength, 'known'>;
type Index = ReadonlyMap<string, Limits>;

/** Looks up how many tokens a model accepts; see the function of the same name that users call. */
export const lengthInTable: (model: ModelIdentity) => ContextLength = oncePerModel((model) => {
  const names = modelNames(model.modelId).map((name) => modelNameParts(name));
  const families = readTable(modelFamilies);
  const name = hostOf(model);
  const host = Object.hasOwn(hosts, name) ? hosts[name] : undefined;
  const atHost = host === undefined ? undefined : findLongest(readTable(host), names);
  const bare = (names[0] ?? []).join('-');
  const newest = atHost === undefined ? newestOfLine(families, bare) : undefined;
  const limits = atHost ?? newest ?? latestOfLine(families, bare) ?? findLongest(families, names);
  return limits === undefined
    ? { contextLength: unknownContextLength, known: false }
    : { ...limits, known: newest === undefined };
});

/** The code before that of `A`, above those of digits; letters of the alphabet. */
const beforeCapitals = 64;
const capitals = 26;

/**
 * Reads a table: lengths, `400000/272000` if the input is limited further, and after each the names that have them. A
 * capital letter stands for parts of the name before, A for the first one, B for two: `gpt-5-1 Cpro` is `gpt-5-1-pro`.
 */
export function readTable(table: string): Index {
  const index = new Map<string, Limits>();
  let limits: Limits = { contextLength: 0 };
  let name = '';
  for (const word of table.trim().split(/\s+/)) {
    const taken = word.charCodeAt(0) - beforeCapitals;
    if (taken < 0) {
      const [contextLength = 0, inputLimit] = word.split('/').map(Number);
      limits = { contextLength, inputLimit };
    } else {
      const isWhole = taken > capitals;
      name = isWhole ? word : [...name.split('-').slice(0, taken), word.slice(1)].join('-');
      index.set(name, limits);
    }
  }
  return index;
}

/** Finds the longest entry that a name begins with, else one that it contains (`Meta-Llama-3.1`). */
export function findLongest(
  index: Index,
  names: readonly (readonly string[])[],
): Limits | undefined {
  for (const parts of names) {
    for (let start = 0; start < parts.length; start++) {
      // Short words such as the `o` of `o1` say nothing in the middle of a name.
      if (start > 0 && (parts[start] ?? '').length < 3) continue;
      for (let end = parts.length; end > start; end--) {
        const limits = index.get(parts.slice(start, end).join('-'));
        if (limits !== undefined) return limits;
      }
    }
  }
  return undefined;
}

/** Finds the limits of the newest listed model of a line, if a name is that of a newer one. */
function newestOfLine(families: Index, name: string): Limits | undefined {
  const { line, version } = modelLineOf(name);
  const listed = newestListed(families, line);
  return version > listed.version ? listed.limits : undefined;
}

/** Finds the limits of the newest listed model of a line, if a name says `latest` of it and is not listed. */
function latestOfLine(families: Index, name: string): Limits | undefined {
  const line = name.replace(/-latest$/, '');
  return line === name || families.has(name) ? undefined : newestListed(families, line).limits;
}

function newestListed(families: Index, line: string | undefined) {
  let newest: { version: number; limits?: Limits } = { version: 0 };
  for (const [name, limits] of families) {
    const listed = modelLineOf(name);
    if (listed.line === line && listed.version > newest.version)
      newest = { version: listed.version, limits };
  }
  return newest;
}

/** Text before a version of one or two numbers; larger numbers are dates, and those before an `x` sizes. */
const versions = /^(\D+)-(\d{1,2})(?:-(\d{1,2}))?(?=-(?!x(?:-|$))|$)/;

/** Reads a name in parts as its line and version, `claude-opus-4-8` as 4.08 of `claude-opus`; 0 without a version. */
export function modelLineOf(name: string): {
  readonly line: string | undefined;
  readonly version: number;
} {
  const [, line, major = 0, minor = 0] = versions.exec(name) ?? [];
  return { line, version: Number(major) + Number(minor) / 100 };
}
