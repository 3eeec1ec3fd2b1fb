import type { ModelIdentity } from '../../prompt/prompt-types.ts';
import { anthropic } from './anthropic.ts';
import type { ContextLengthTable } from './context-length-table.ts';
import { google } from './google.ts';
import { hosts } from './hosts.ts';
import { mistral } from './mistral.ts';
import { openai } from './openai.ts';
import { otherModels } from './other-models.ts';
import { qwen } from './qwen.ts';
import { hostOf, modelNameParts, modelNames, oncePerModel } from '../../prompt/model-name.ts';

/** How much a model accepts. */
export interface ContextLength {
  /** Tokens of prompt and answer together. */
  readonly contextLength: number;
  /** Tokens of the prompt alone, where the provider limits them further. */
  readonly inputLimit?: number | undefined;
  /** Whether the model is in the table; `false` means that 128,000 is a guess. */
  readonly known: boolean;
}

const modelFamilies = [openai, anthropic, google, mistral, qwen, otherModels];
const unknownContextLength = 128_000;

type Limits = Omit<ContextLength, 'known'>;
type Index = ReadonlyMap<string, Limits>;

let familyIndex: Index | undefined;
const hostIndexes = new Map<string, Index>();

/** Looks up how many tokens a model accepts; see the function of the same name that users call. */
export const lengthInTable: (model: ModelIdentity) => ContextLength = oncePerModel((model) => {
  const names = modelNames(model.modelId).map((name) => modelNameParts(name));
  const host = hostIndex(hostOf(model));
  familyIndex ??= indexOf(modelFamilies);
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
  const table = Object.hasOwn(hosts, host) ? hosts[host] : undefined;
  if (table === undefined) return undefined;
  let index = hostIndexes.get(host);
  if (index === undefined) {
    index = indexOf([table]);
    hostIndexes.set(host, index);
  }
  return index;
}

function indexOf(tables: readonly ContextLengthTable[]): Index {
  const index = new Map<string, Limits>();
  for (const table of tables) {
    for (const [name, entry] of Object.entries(table)) {
      index.set(
        modelNameParts(name).join('-'),
        typeof entry === 'number'
          ? { contextLength: entry }
          : { contextLength: entry[0], inputLimit: entry[1] },
      );
    }
  }
  return index;
}
