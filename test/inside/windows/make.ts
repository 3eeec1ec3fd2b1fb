import {
  findLongest,
  modelLineOf,
  unknownContextLength,
  type Limits,
} from '../../../src/sizes/tokens/context-lengths.ts';
import { hostOf, modelNameParts, modelNames } from '../../../src/prompt/messages/model-name.ts';
import { exceptions, hostExceptions, type Exception } from './exceptions.ts';

/** A model of the data set, as one of its hosts serves it. */
export interface CatalogueRow {
  readonly host: string;
  readonly modelId: string;
  readonly contextLength: number;
  /** Tokens above which it costs more. */
  readonly steps: readonly number[];
}

/** The data set as it is kept here: where it is from, and its rows. */
export interface Catalogue {
  readonly name: string;
  readonly version: string;
  readonly date: string;
  readonly rows: readonly CatalogueRow[];
}

/** Hosts of the data set whose word counts for a family: the vendors themselves. */
const vendors = new Set(
  'openai anthropic google mistral xai deepseek moonshotai minimax zai meta xiaomi ant-ling qwen-token-plan'.split(
    ' ',
  ),
);

/** Hosts whose models are looked up by host, with the provider that their packages name. */
export const providers: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'amazon-bedrock',
  azure: 'azure.responses',
  baseten: 'baseten.chat',
  cerebras: 'cerebras.chat',
  'cloudflare-workers-ai': 'workersai.chat',
  fireworks: 'fireworks.chat',
  'google-vertex': 'google.vertex.chat',
  groq: 'groq.chat',
  huggingface: 'huggingface.responses',
  nvidia: 'nvidia.chat',
  openrouter: 'openrouter',
  together: 'togetherai.chat',
  'vercel-ai-gateway': 'gateway',
};

/** Reads the file of the data set: a line that names it, then host, id, context length and steps of each model. */
export function readCatalogue(text: string): Catalogue {
  const [head = '', ...lines] = text.trim().split('\n');
  const [name = '', version = '', date = ''] = head.replace('# ', '').split('\t');
  const rows = lines.map((line) => {
    const [host = '', modelId = '', contextLength, steps = ''] = line.split('\t');
    return {
      host,
      modelId,
      contextLength: Number(contextLength),
      steps: steps.split(',').filter(Boolean).map(Number),
    };
  });
  return { name, version, date, rows };
}

/** Powers of two, of which others publish the round number below, and lengths that differ between hosts by a few tokens. */
const rounded: readonly (readonly [from: number, to: number, taken: number])[] = [
  [32_768, 32_768, 32_000],
  [65_536, 65_536, 64_000],
  [131_000, 131_072, 128_000],
  [160_000, 163_840, 160_000],
  [196_000, 196_608, 196_000],
  [200_000, 204_800, 200_000],
  [256_000, 262_144, 256_000],
  [512_000, 524_288, 500_000],
  [1_000_000, 1_047_575, 1_000_000],
  [1_048_000, 1_048_756, 1_000_000],
];

/** The smaller one of what is published for a length by one and by another. */
export function rounding(length: number): number {
  return rounded.find(([from, to]) => from <= length && length <= to)?.[2] ?? length;
}

function keyOf(name: string): string {
  return modelNameParts(name).join('-');
}

function bareKeyOf(modelId: string): string {
  return keyOf(modelNames(modelId)[0] ?? modelId);
}

/** The value that most have, the smaller one of two. */
function usualOf(lengths: readonly number[]): number {
  const counts = [...Map.groupBy(lengths, (length) => length)];
  const [most] = counts.toSorted(([a, as], [b, bs]) => bs.length - as.length || a - b);
  return most?.[0] ?? 0;
}

/** Names that a family begins with, and what most of its models take: of the vendors, else where two hosts agree on a name. */
function familiesOf(rows: readonly CatalogueRow[]): Map<string, Limits> {
  const isVariant = /[:-](?:batch|free|fast|spot|exacto|nitro)$/;
  const read = rows.filter(
    ({ host, modelId }) => !isVariant.test(modelId) && (vendors.has(host) || host in providers),
  );
  const found = new Map<string, number>();
  for (const [name, all] of Map.groupBy(read, ({ modelId }) => bareKeyOf(modelId))) {
    const own = all.filter(({ host }) => vendors.has(host));
    if (own.length === 0 && new Set(all.map(({ host }) => host)).size < 2) continue;
    const lengths = (own.length > 0 ? own : all).map(({ contextLength }) => contextLength);
    found.set(name, usualOf(lengths.map(rounding)));
  }
  const lines = Map.groupBy(found, ([name]) => versionedPart(name));
  for (const [line, members] of lines)
    if (line !== undefined && !found.has(line))
      found.set(line, usualOf(members.map(([, length]) => length)));
  return new Map([...found].map(([name, contextLength]) => [name, { contextLength }]));
}

/** A name as far as its version, `gpt-5-4` of `gpt-5-4-mini`; `undefined` where it has none. */
function versionedPart(name: string): string | undefined {
  const { line, version } = modelLineOf(name);
  // What follows `preview` is a date.
  if (line === undefined || line.includes('preview')) return undefined;
  const minor = Math.round((version % 1) * 100);
  return [line, Math.floor(version), ...(minor > 0 ? [minor] : [])].join('-');
}

/** Leaves out what the others say as well; the newest version of a line stays, by which a newer one is known. */
function withoutNeedless(all: ReadonlyMap<string, Limits>): Map<string, Limits> {
  const newest = new Map<string, number>();
  for (const name of all.keys()) {
    const { line = '', version } = modelLineOf(name);
    newest.set(line, Math.max(version, newest.get(line) ?? 0));
  }
  const kept = new Map<string, Limits>();
  const names = [...all.keys()].toSorted((a, b) => a.split('-').length - b.split('-').length);
  for (const name of names) {
    const limits = all.get(name);
    const { line = '', version } = modelLineOf(name);
    const isNewest = version > 0 && name === versionedPart(name) && newest.get(line) === version;
    const found = findLongest(kept, [name.split('-')]);
    if (limits && (isNewest || !isSame(found, limits))) kept.set(name, limits);
  }
  return kept;
}

function isSame(one: Limits | undefined, other: Limits): boolean {
  return one?.contextLength === other.contextLength && one.inputLimit === other.inputLimit;
}

function withExceptions(found: Map<string, Limits>, given: readonly Exception[]): void {
  const listedRows = given.flatMap(({ rows, isWhole }) =>
    rows.flatMap(([names, contextLength, inputLimit]) =>
      names
        .split(' ')
        .map((name) => [keyOf(name), { contextLength, inputLimit }, isWhole] as const),
    ),
  );
  for (const [name, , isWhole] of listedRows)
    for (const listed of found.keys())
      if (isWhole === true && `${listed}-`.startsWith(`${name}-`)) found.delete(listed);
  for (const [name, limits] of listedRows) found.set(name, limits);
}

/** The tables of `src/sizes/tokens/model-windows.ts`: by family, and by host what it serves shorter than that. */
function tablesOf({ rows }: Catalogue): {
  readonly families: ReadonlyMap<string, Limits>;
  readonly hosts: ReadonlyMap<string, ReadonlyMap<string, Limits>>;
} {
  const found = familiesOf(rows);
  withExceptions(found, exceptions);
  const families = withoutNeedless(found);
  const hosts = new Map<string, Map<string, Limits>>();
  for (const [host, provider] of Object.entries(providers)) {
    const own = new Map<string, Limits>();
    for (const { modelId, contextLength } of rows.filter((row) => row.host === host)) {
      const name = bareKeyOf(modelId);
      const usual = findLongest(families, modelNames(modelId).map(modelNameParts));
      const length = rounding(contextLength);
      // A model that no table knows is taken for one of this length; an alias follows what it stands for.
      const guess = name.endsWith('-latest') ? Infinity : unknownContextLength;
      if (length < rounding(usual?.contextLength ?? guess))
        own.set(name, { contextLength: length });
    }
    const name = hostOf({ provider, modelId: '' });
    withExceptions(own, [{ rows: hostExceptions[name] ?? [] }]);
    const kept = withoutNeedless(own);
    if (kept.size > 0) hosts.set(name, kept);
  }
  for (const [name, given] of Object.entries(hostExceptions)) {
    const own = hosts.get(name) ?? new Map<string, Limits>();
    withExceptions(own, [{ rows: given }]);
    hosts.set(name, own);
  }
  return { families, hosts };
}

/** The text of `src/sizes/tokens/model-windows.ts`. */
export function moduleOf(catalogue: Catalogue): string {
  const { families, hosts } = tablesOf(catalogue);
  const byHost = [...hosts].toSorted(([a], [b]) => a.localeCompare(b));
  return `// Made by \`npm run make:windows\`: change \`test/inside/windows/exceptions.ts\`, which says why, not this file.
// Source: ${catalogue.name} ${catalogue.version} (MIT), ${catalogue.date}; and those exceptions, summer of 2026.

/**
 * How much models accept, wherever they are hosted: context lengths, or those and input limits, and after each the names that
 * models begin with, as \`readTable\` reads them.
 */
export const modelFamilies = \`
${linesOf(families)}\`;

/** Context lengths of hosts that differ. These go first. */
export const hosts: Readonly<Record<string, string>> = {
${byHost.map(([host, table]) => `  '${host}': \`\n${linesOf(table)}\`,\n`).join('')}};
`;
}

/** A name as it is written after another one: a capital letter for the parts that they have in common. */
function writtenAfter(before: string, name: string): string {
  const [earlier, parts] = [before.split('-'), name.split('-')];
  const differing = parts.findIndex((part, index) => part !== earlier[index]);
  // Of a name that another one only continues, the last part is written.
  const common = differing === -1 ? parts.length - 1 : differing;
  if (common === 0) return name;
  return String.fromCharCode(64 + common) + parts.slice(common).join('-');
}

/** Lengths, and after each the names that have it, in lines that are short enough to be compared. */
function linesOf(table: ReadonlyMap<string, Limits>): string {
  const groups = Map.groupBy(table, ([, { contextLength, inputLimit }]) =>
    [contextLength, ...(inputLimit === undefined ? [] : [inputLimit])].join('/'),
  );
  return [...groups]
    .toSorted(([a], [b]) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .flatMap(([limits, named]) => {
      const names = named.map(([each]) => each).toSorted();
      const words = names.map((name, index) => writtenAfter(names[index - 1] ?? '', name));
      const lines = [limits];
      for (const word of words) {
        const last = lines.at(-1) ?? '';
        if (last.length + word.length > 120) lines.push(word);
        else lines[lines.length - 1] = `${last} ${word}`;
      }
      return lines.map((line) => `${line}\n`);
    })
    .join('');
}

/** What differs between two versions of the data set, a line each. */
export function differences(before: Catalogue, after: Catalogue): readonly string[] {
  const [old, current] = [before, after].map(
    ({ rows }) =>
      new Map(
        rows.map(({ host, modelId, contextLength, steps }) => [
          `${host} ${modelId}`,
          [contextLength, ...steps].join(' > '),
        ]),
      ),
  );
  const names = new Set([...(old?.keys() ?? []), ...(current?.keys() ?? [])]);
  return [...names].toSorted().flatMap((name) => {
    const [was = 'nothing', is = 'nothing'] = [old?.get(name), current?.get(name)];
    return was === is ? [] : [`${name}: ${was} -> ${is}`];
  });
}
