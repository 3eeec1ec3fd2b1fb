import { hostOf, modelNameParts, modelNames, oncePerModel } from '../../prompt/model-name.ts';
import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { hosts } from './hosts.ts';
import { modelFamilies, type ContextLengthTable } from './model-families.ts';

/** How much a model accepts. */
export interface ContextLength {
  /** Tokens of prompt and answer together. */
  readonly contextLength: number;
  /** Tokens of the prompt alone, where the provider limits them further. */
  readonly inputLimit?: number | undefined;
  /**
   * Whether the model is in the table. `false` means a guess: the length of the newest listed model of its family where
   * the version is a newer one, else 128,000.
   */
  readonly known: boolean;
}

const unknownContextLength = 128_000;

type Limits = Omit<ContextLength, 'known'>;
type Index = ReadonlyMap<string, Limits>;

let familyIndex: Index | undefined;
const hostIndexes = new Map<string, Index>();

/** Looks up how many tokens a model accepts; see the function of the same name that users call. */
export const lengthInTable: (model: ModelIdentity) => ContextLength = oncePerModel((model) => {
  const names = modelNames(model.modelId).map((name) => modelNameParts(name));
  familyIndex ??= indexOf(modelFamilies);
  const host = hostIndex(hostOf(model));
  const atHost = host?.get((names.at(-1) ?? []).join('-')) ?? (host && findLongest(host, names));
  const newest = atHost === undefined ? newestOfLine(names[0] ?? []) : undefined;
  const limits = atHost ?? newest ?? findLongest(familyIndex, names);
  return limits === undefined
    ? { contextLength: unknownContextLength, known: false }
    : { ...limits, known: newest === undefined };
});

/** A version of a line of models: `claude-opus-4.8` is 4.8 of `claude-opus`. */
interface Version {
  readonly line: string;
  readonly number: number;
  readonly limits: Limits;
}

/** Versions go up to here; larger numbers are dates and sizes. */
const largestVersion = 99;

let newestVersions: ReadonlyMap<string, Version> | undefined;

/** The limits of the newest listed model of a line, where a name is that of a newer one. */
function newestOfLine(parts: readonly string[]): Limits | undefined {
  newestVersions ??= newestOf(modelFamilies);
  const version = versionOf(parts);
  if (version === undefined) return undefined;
  const newest = newestVersions.get(version.line);
  return newest !== undefined && version.number > newest.number ? newest.limits : undefined;
}

/** Reads what stands before the first number as the line, and up to two numbers as the version; sizes are none. */
function versionOf(parts: readonly string[]): Omit<Version, 'limits'> | undefined {
  const start = parts.findIndex((part) => /^\d/.test(part));
  const isVersion = (index: number): boolean =>
    Number(parts[index]) <= largestVersion && !/^[bkx]$/.test(parts[index + 1] ?? '');
  if (start < 1 || !isVersion(start)) return undefined;
  const minor = isVersion(start + 1) ? Number(parts[start + 1]) : 0;
  const number = Number(parts[start]) + minor / (largestVersion + 1);
  return { line: parts.slice(0, start).join('-'), number };
}

function newestOf(table: ContextLengthTable): ReadonlyMap<string, Version> {
  const newest = new Map<string, Version>();
  for (const [name, limits] of indexOf(table)) {
    const version = versionOf(name.split('-'));
    if (version !== undefined && version.number > (newest.get(version.line)?.number ?? 0))
      newest.set(version.line, { ...version, limits });
  }
  return newest;
}

/** Finds the longest entry that a name begins with, else one that it contains (`Meta-Llama-3.1`). */
function findLongest(index: Index, names: readonly (readonly string[])[]): Limits | undefined {
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

function hostIndex(host: string): Index | undefined {
  if (!Object.hasOwn(hosts, host)) return undefined;
  const index = hostIndexes.get(host) ?? indexOf(hosts[host] ?? []);
  hostIndexes.set(host, index);
  return index;
}

function indexOf(table: ContextLengthTable): Index {
  return new Map(
    table.flatMap(([names, contextLength, inputLimit]) =>
      names
        .split(' ')
        .map((name) => [modelNameParts(name).join('-'), { contextLength, inputLimit }] as const),
    ),
  );
}
