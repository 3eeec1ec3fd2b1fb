import type { ModelIdentity } from './prompt-types.ts';

// Lookups grow with the square of this.
const maxParts = 24;

/**
 * Splits a model's name into words, numbers and sizes, so that spellings compare: `Qwen/Qwen2.5-7B`, `qwen2p5-7b` and
 * `qwen2-5-7b` all are `qwen 2 5 7b`. A size is one part, as it never completes a version: `Qwen3-8B` is not Qwen 3.8.
 * A `v` before a number is left out.
 */
export function modelNameParts(name: string): readonly string[] {
  const parts = name
    .toLowerCase()
    // Bedrock's revision, then Fireworks' spelling of a decimal point.
    .replace(/-v\d+:\d+(?::\w+)?$/, '')
    .replaceAll(/(\d)p(?=\d)/g, '$1.')
    .match(/\d+(?:\.\d+)?(?:[bkmt]|bit)(?![a-z])|[a-z]+|\d+/g);
  return (parts ?? [])
    .filter((part, index, all) => part !== 'v' || !/^\d/.test(all[index + 1] ?? ''))
    .slice(0, maxParts);
}

/**
 * Returns the names under which a model may be known, most specific first: without the path of a gateway or host
 * (`openai/`, `accounts/fireworks/models/`) and without region and vendor of Bedrock (`us.anthropic.`), then whole.
 */
export function modelNames(modelId: string): readonly string[] {
  const bare = modelId.slice(modelId.lastIndexOf('/') + 1).replace(/^(?:[a-z-]+\.)+(?=[a-z])/i, '');
  return bare === modelId ? [modelId] : [bare, modelId];
}

const aliases: Readonly<Record<string, string>> = {
  'fireworks-ai': 'fireworks',
  moonshot: 'moonshotai',
  qwen: 'alibaba',
  together: 'togetherai',
  'together-ai': 'togetherai',
  vercel: 'gateway',
  'cloudflare-workers-ai': 'workers-ai',
  workersai: 'workers-ai',
};

/** Names the host of a provider id of the SDK: `google.vertex.chat` is `google-vertex`. */
export function hostOf({ provider, modelId }: ModelIdentity): string {
  const name = provider.toLowerCase();
  // Workers AI, behind its gateway too.
  if (/(?:^|\/)@(?:cf|hf)\//.test(modelId)) return 'workers-ai';
  if (name.includes('bedrock')) return 'amazon-bedrock';
  if (name.includes('vertex')) return 'google-vertex';
  if (name.startsWith('azure')) return 'azure';
  const host = name.replace(/\..*/s, '');
  return aliases[host] ?? host;
}

/** The most models of which a process remembers something: it calls a few. */
export const maxModels = 1000;

/** Looks something up once for each model. */
export function oncePerModel<Found>(
  lookUp: (model: ModelIdentity) => Found,
): (model: ModelIdentity) => Found {
  const found = new Map<string, Found>();
  return (model) => {
    const name = `${model.provider} ${model.modelId}`;
    const known = found.get(name) ?? lookUp(model);
    if (found.size < maxModels) found.set(name, known);
    return known;
  };
}
