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
  /** Whether the model is in the table; `false` means that 128,000 is a guess. */
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
  const limits =
    host?.get((names.at(-1) ?? []).join('-')) ??
    (host && findLongest(host, names)) ??
    findLongest(familyIndex, names);
  return limits === undefined
    ? { contextLength: unknownContextLength, known: false }
    : { ...limits, known: true };
});

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
