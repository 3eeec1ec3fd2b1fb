import { hostOf, modelNameParts, modelNames, oncePerModel } from '../prompt/model-name.ts';
import type { ModelIdentity } from '../prompt/prompt-types.ts';

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

/** Looks up how many tokens a model accepts; see the function of the same name that users call. */
export const lengthInTable: (model: ModelIdentity) => ContextLength = oncePerModel((model) => {
  const names = modelNames(model.modelId).map((name) => modelNameParts(name));
  const families = indexOf(modelFamilies);
  const name = hostOf(model);
  const host = Object.hasOwn(hosts, name) ? hosts[name] : undefined;
  const atHost = host && findLongest(indexOf(host), names);
  const newest =
    atHost === undefined ? newestOfLine(families, (names[0] ?? []).join('-')) : undefined;
  const limits = atHost ?? newest ?? findLongest(families, names);
  return limits === undefined
    ? { contextLength: unknownContextLength, known: false }
    : { ...limits, known: newest === undefined };
});

function indexOf(table: ContextLengthTable): Index {
  return new Map(
    table.flatMap(([names, contextLength, inputLimit]) =>
      names
        .split(' ')
        .map((name) => [modelNameParts(name).join('-'), { contextLength, inputLimit }] as const),
    ),
  );
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

/** The limits of the newest listed model of a line, where a name is that of a newer one. */
function newestOfLine(families: Index, name: string): Limits | undefined {
  const { line, version } = lineOf(name);
  let [newest, found]: [number, Limits | undefined] = [0, undefined];
  for (const [listedName, limits] of families) {
    const listed = lineOf(listedName);
    if (listed.line === line && listed.version > newest) [newest, found] = [listed.version, limits];
  }
  return version > newest ? found : undefined;
}

/** What stands before a version of one or two numbers; larger ones are dates, and those before an `x` sizes. */
const versions = /^(\D+)-(\d{1,2})(?:-(\d{1,2}))?(?=-(?!x(?:-|$))|$)/;

/** Reads a name in parts as its line and version, `claude-opus-4-8` as 4.08 of `claude-opus`; 0 where there is none. */
function lineOf(name: string): { readonly line: string | undefined; readonly version: number } {
  const [, line, major = 0, minor = 0] = versions.exec(name) ?? [];
  return { line, version: Number(major) + Number(minor) / 100 };
}

/**
 * How much models accept, in tokens: names that models begin with, the context length, and an input limit where that
 * is smaller. What is published as 131,072 or 262,144 by one and 128,000 or 256,000 by another is the smaller one here, and a
 * million. `llama-3.1` covers `Meta-Llama-3.1-8B-Instruct`, `llama3-1-70b` and `llama-v3p1-405b`; the longest
 * name wins. The newest version of a family is always among the names: a newer one than that is not known.
 */
type ContextLengthTable = readonly (readonly [
  names: string,
  contextLength: number,
  inputLimit?: number,
])[];

/** How much models accept, by vendor, wherever they are hosted. */
const modelFamilies: ContextLengthTable = [
  // OpenAI's models.
  ['gpt-3.5-turbo-0301 gpt-3.5-turbo-instruct', 4096],
  ['gpt-4', 8192],
  ['gpt-3.5', 16_384],
  ['gpt-4-32k', 32_768],
  ['chatgpt-4o gpt-4-0125 gpt-4-1106 gpt-4-turbo gpt-4-vision gpt-4.5 gpt-4o gpt-5-chat', 128_000],
  ['gpt-5.1-chat gpt-5.1-instant gpt-5.2-chat gpt-5.3-chat gpt-oss o1-mini o1-preview', 128_000],
  ['gpt-5.3-codex-spark', 128_000, 100_000],
  ['codex-mini o1 o3 o4', 200_000],
  ['gpt-5 gpt-5.4-mini gpt-5.4-nano gpt-5.6-cyber', 400_000, 272_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-5.4 gpt-5.5 gpt-5.6 gpt-6 gpt-6.1 gpt-6.2', 1_050_000, 922_000],
  // Anthropic's models.
  ['claude-2.0 claude-instant', 100_000],
  ['claude claude-3.7 claude-haiku-4.5 claude-opus-4.5 claude-sonnet-4.5', 200_000],
  ['claude-fable-5 claude-fable-5.2 claude-haiku-5.5 claude-opus-4.6 claude-opus-4.7', 1_000_000],
  ['claude-opus-4.8 claude-opus-5 claude-opus-5.5 claude-sonnet-4.6 claude-sonnet-5', 1_000_000],
  ['claude-sonnet-5.5', 1_000_000],
  // Google's models, Gemma included.
  ['gemini-2.5-flash-preview-tts gemini-2.5-flash-tts gemini-2.5-pro-preview-tts', 8000],
  ['gemini-2.5-pro-tts gemma-2', 8000],
  ['gemini-2.5-flash-image gemma-3-1b gemma-3-270m gemma-3n', 32_000],
  ['gemini-3-pro-image gemini-3.1-flash-image gemini-3.1-flash-lite-image', 64_000],
  ['gemini-2.5-computer-use gemini-robotics-er gemma-3 gemma-4-e2b gemma-4-e4b', 128_000],
  ['gemma-4', 256_000],
  ['deep-research gemini gemini-4', 1_000_000],
  // Mistral's models, hosted by Mistral or anyone else.
  ['mistral-7b', 8000],
  ['mistral-small-2409 mistral-small-2501 mixtral-8x7b voxtral', 32_000],
  ['mixtral-8x22b', 64_000],
  ['devstral magistral ministral mistral-large mistral-medium mistral-nemo mistral-small', 128_000],
  ['pixtral', 128_000],
  ['codestral devstral-2 devstral-2512 devstral-latest devstral-medium-latest', 256_000],
  ['devstral-small-2 devstral-small-2512 magistral-medium-latest ministral-14b-2512', 256_000],
  ['ministral-8b-2512 ministral-8b-latest mistral-large-2512 mistral-large-3', 256_000],
  ['mistral-large-latest mistral-medium-2508 mistral-medium-2604 mistral-medium-3.5', 256_000],
  ['mistral-medium-latest mistral-small-2603 mistral-small-latest', 256_000],
  ['mistral-large-4', 1_000_000],
  // Alibaba's models: the open ones as most hosts serve them, the closed ones as Alibaba does.
  ['qwen-plus-character', 8000],
  ['qwen-mt', 16_000],
  ['qwen-2 qwen-2.5 qwen-max qwen-omni qwen-vl-ocr', 32_000],
  ['qwen-3', 40_960],
  ['qwen-3-omni', 64_000],
  ['qvq qwen-3-235b qwen-3-next qwen-3-vl qwen-vl qwq', 128_000],
  ['qwen-3.6-max', 240_000],
  ['qwen-3-235b-a22b-2507 qwen-3-235b-a22b-instruct-2507 qwen-3-coder qwen-3-max', 256_000],
  ['qwen-3.5 qwen-3.6 qwen-3.7 qwen-3.8', 256_000],
  ['qwen-3.7-flash qwen-3.7-max qwen-3.8-flash qwen-3.8-max-0902', 990_000],
  ['qwen-3-coder-flash qwen-3-coder-plus qwen-3.5-flash qwen-3.5-plus qwen-3.6-flash', 1_000_000],
  ['qwen-3.6-plus qwen-3.7-plus qwen-3.8-max-prime qwen-3.8-omni-flash qwen-flash', 1_000_000],
  ['qwen-plus qwen-turbo', 1_000_000],
  // Models of the other vendors, open and closed, as the most cautious of their hosts serves them.
  ['command command-light llama-2 phi-3-medium-4k phi-3-mini-4k titan-text-lite', 4096],
  ['aya-expanse-8b command-a-translate llama-3 phi-3-small-8k titan-text-express titan-tg1', 8000],
  ['aya-vision morph-v3-fast phi-4', 16_000],
  ['lfm2 lfm2.5 longcat-flash-thinking mercury-coder morph-v3-large phi-4-reasoning rnj-1', 32_000],
  ['glm-4.5v', 64_000],
  ['palmyra sonar', 120_000],
  ['aya-expanse-32b command-a-vision command-r deepseek glm-4 glm-4.6v grok kimi-k2', 128_000],
  ['llama-3.1 llama-3.2 llama-3.3 llama-4 longcat-flash-chat mercury muse-glimmer', 128_000],
  ['nemotron nova-2-lite nova-micro phi-3 phi-4-mini phi-4-multimodal trinity', 128_000],
  ['cogito', 160_000],
  ['minimax minimax-m2.5 minimax-m2.7', 196_000],
  ['glm-4.6 glm-4.7 glm-5 minimax-m2 nemotron-3-ultra sonar-pro', 200_000],
  ['command-a glm-5.2 grok-4 grok-4.1 grok-build grok-code hy-3 inkling jamba kat-coder', 256_000],
  ['kimi-k2-0905 kimi-k2-thinking kimi-k2-turbo kimi-k2.5 kimi-k2.6 kimi-k2.7 ling-3', 256_000],
  ['ling-3.1 mercury-2.5 mimo-v2-flash nemotron-3-nano nemotron-3-super', 256_000],
  ['nemotron-3.5-lightning nemotron-3.5-super nemotron-nano-3 nemotron-super-3 seed-1', 256_000],
  ['seed-1.8 seed-2 seed-2.1 step-3.5 step-3.7 trinity-large-thinking', 256_000],
  ['nova-lite nova-pro', 300_000],
  ['deepseek-v4 grok-4.5 grok-4.6 grok-4.7 minimax-m3 minimax-m3.1', 500_000],
  ['deepseek-v4.1 ember-1 fugu fugu-max fugu-ultra glm-5.3 grok-4.1-fast grok-4.20', 1_000_000],
  ['grok-4.3 hy-4 interfaze-beta kimi-k3 kimi-k3.1 longcat-2.5 mercury-3 mimo-v2', 1_000_000],
  ['mimo-v2.6 muse-ember muse-spark muse-spark-1.3 muse-wonder nova-premier palmyra-x5', 1_000_000],
  ['step-5', 1_000_000],
  ['grok-4-fast', 2_000_000],
];

/**
 * Where a host serves a model shorter than its family's length, or is the one that many know it by and serves it several
 * times as long, by host. These go first.
 */
const hosts: Readonly<Record<string, ContextLengthTable>> = {
  'amazon-bedrock': [
    ['qwen-3-32b', 16_000],
    ['qwen-3-coder', 128_000],
    ['gpt-5.4 gpt-5.5', 272_000],
    ['llama-4-maverick nova-2-lite', 1_000_000],
    ['llama-4-scout', 3_500_000],
  ],
  azure: [
    ['gpt-35', 16_000],
    ['grok-4.1-fast model-router', 128_000],
    ['claude', 200_000],
    ['grok-4.20', 256_000],
  ],
  cerebras: [['glm-4.7 qwen-3.8', 128_000]],
  deepseek: [['deepseek', 1_000_000]],
  gateway: [
    ['mistral-small', 32_000],
    ['gpt-4o-mini-search gpt-5-chat gpt-5.1-instant gpt-5.2-chat gpt-5.3-chat', 128_000, 111_616],
    ['gpt-oss-safeguard', 128_000, 65_536],
    ['gpt-oss-20b', 128_000, 122_880],
    ['kimi-k2-thinking', 216_144],
    ['deepseek-v4 glm-5.2 nova-2-lite', 1_000_000],
    ['gpt-5.5', 1_000_000, 872_000],
  ],
  groq: [['compound llama-3 qwen-3-32b qwen-3.6 qwen-3.8', 128_000]],
  togetherai: [['pearl-ai-gemma-4-31b-it', 32_000]],
  zai: [['glm-5.2', 1_000_000]],
};
