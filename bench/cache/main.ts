import type { SummarizationOptions } from '../../src/index.ts';
import { lastMessages, slidingWindow } from './methods/sliding-window.ts';
import type { Method } from './methods/method.ts';
import { nothing } from './methods/nothing.ts';
import { ours, oursBeside } from './methods/ours.ts';
import { prunedWindow } from './methods/pruned-messages.ts';
import { summaryEveryCall } from './methods/summary-every-call.ts';
import { contextChef } from '../rivals/methods/context-chef.ts';
import { priceTables } from './prices.ts';
import { costOf, meanTokens, replay, type Replay } from './replay.ts';
import type { Scenario } from './scenario.ts';
import { writeResults } from '../write-results.ts';
import { workloads, type Workload } from './workloads.ts';

// What each way to keep a long conversation within a limit costs with the prompt caches and prices of three providers,
// and what is left in its prompts. Definitions: README.md of the folder above.

const given = process.argv
  .slice(2)
  .filter((argument) => /^\d+$/u.test(argument))
  .map(Number);
const named = process.argv.slice(2).filter((argument) => /^[a-z]/u.test(argument));
const contextLengths = given.length === 0 ? [32_000, 128_000, 1_000_000] : given;

/** `rival`: what the goal of 0.7 compares with. */
type Kind = 'memory' | 'rival' | 'pruned' | 'other';

/** The model of the conversation summarizes, as by default: asked with a transcript, or in what its cache has. */
const ownModel = { summarizerModelPreference: undefined } as const;

const largeOutputs = 'large outputs';
const memoryName = 'memory';
const besideName = 'memory, background';
const shortenedName = 'memory, maxToolOutputTokens: 400';
/** Shortens large outputs as they enter, with the figures of its quick start. */
const peer = contextChef(false);

const methods: readonly (readonly [Kind, Method])[] = [
  ['memory', ours(memoryName)],
  ['memory', ours('memory, own transcript', { ...ownModel, summarizerInput: 'transcript' })],
  ['memory', ours('memory, own cache', ownModel)],
  ['other', oursBeside(besideName)],
  ['other', ours(shortenedName, { maxToolOutputTokens: 400 })],
  ['other', ours('memory, rule-based', { strategy: 'rule-based' })],
  ['rival', slidingWindow],
  ['rival', lastMessages(20)],
  ['pruned', prunedWindow],
  ['rival', summaryEveryCall('rolling every call, tail 10 %', 0.1)],
  ['rival', summaryEveryCall('rolling every call, tail 50 %', 0.5)],
  ['other', peer],
  ['other', nothing],
];

/** Rows of the workload with large outputs, beside `cost`: the others say nothing new of it. */
const ofLargeOutputs = new Set([memoryName, besideName, shortenedName, peer.name]);

/** Cost over that of another row of the same run: what is asked, and what the command fails above. */
const limits: readonly {
  readonly name: string;
  readonly over: string;
  readonly asked: number;
  readonly most: number;
  /** The one workload that it is asked of. */
  readonly only?: string;
}[] = [
  { name: besideName, over: memoryName, asked: 1.03, most: 1.045 },
  { name: shortenedName, over: peer.name, asked: 1, most: 1.5, only: largeOutputs },
];

/** Cost a call with the first prices, and of the agent what is needed, by method. */
const costsOf = new Map<string, string[]>();
const columns: string[] = [];

for (const contextLength of contextLengths)
  for (const workload of workloads) {
    if (named.length > 0 && !named.includes(workload.name)) continue;
    columns.push(`${workload.name}, ${contextLength.toLocaleString('en')}`);
    await compare(workload, contextLength);
  }
const [heading, command] =
  named[0] === largeOutputs
    ? [largeOutputs, `npm run bench -- cache 200000 '${largeOutputs}'`]
    : ['cache', 'npm run bench -- cache 32000 128000 chat agent'];
writeResults(heading, command, [
  `| cost a call (needed) | ${columns.join(' | ')} |`,
  `|---|${columns.map(() => '---|').join('')}`,
  ...[...costsOf].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`),
]);

async function compare({ name, scenarios }: Workload, contextLength: number): Promise<void> {
  console.log(`\n${name}, context of ${contextLength} tokens`);
  printRow('', [
    'calls',
    'summaries',
    'mean sent',
    'most sent',
    ...priceTables.map((table) => table.name),
    'summarizer of it',
    'needed',
    'extend the one before',
  ]);
  const results: { readonly name: string; readonly kind: Kind; readonly result: Replay }[] = [];
  const isLarge = name === largeOutputs;
  for (const [kind, method] of methods) {
    if (isLarge && !ofLargeOutputs.has(method.name)) continue;
    const result = await replay(scenarios, method, contextLength);
    results.push({ name: method.name, kind, result });
    const costs = priceTables.map((_, table) => costOf(result, table));
    printReplay(method.name, result, costs);
    if (kind === 'memory') checkPrefixes(method.name, result);
  }
  const ruleBased = isLarge
    ? []
    : await oursFor(scenarios, contextLength, { strategy: 'rule-based' });
  printReplay('cost, rule-based', ruleBased[0], ruleBased.map(costOf));
  const inPlace = {
    summarizerInput: 'conversation',
    summarizerModelPreference: undefined,
  } as const;
  const asked = isLarge ? [] : await oursFor(scenarios, contextLength, inPlace);
  printReplay('cost, asked in conversation', asked[0], asked.map(costOf));
  const own = await oursFor(scenarios, contextLength, {});
  printReplay('cost', own[0], own.map(costOf));
  for (const result of [...own, ...asked, ...ruleBased]) checkPrefixes('cost', result);
  printGoal(results, own.map(costOf));
  checkLimits(name, new Map(results.map((each) => [each.name, each.result])));
}

/** Compares rows that made the same calls; a row has to hold as much of what is needed as its peer, less a third. */
function checkLimits(workload: string, results: ReadonlyMap<string, Replay>): void {
  for (const { name, over, asked, most, only = workload } of limits) {
    const [one, other] = [results.get(name), results.get(over)];
    if (one === undefined || one.calls !== other?.calls || only !== workload) continue;
    const ratio = costOf(one, 0).total / costOf(other, 0).total;
    const needed = (one.needed ?? 1) / (other.needed ?? 1);
    const isOver = ratio > most || needed < 2 / 3;
    const line = `${name} costs ${ratio.toFixed(3)} of ${over} (asked: ${asked}) and holds ${needed.toFixed(2)} of what is needed`;
    console.log(isOver ? `FAILED: ${line}` : line);
    if (isOver) process.exitCode = 1;
  }
}

/** The rule depends on prices: it is replayed for each table. */
async function oursFor(
  scenarios: readonly Scenario[],
  contextLength: number,
  options: SummarizationOptions,
): Promise<readonly Replay[]> {
  const replays: Replay[] = [];
  for (const { name: _, ...prices } of priceTables)
    replays.push(
      await replay(
        scenarios,
        ours('cost', { optimizeFor: 'cost', prices: { openai: prices }, ...options }),
        contextLength,
      ),
    );
  return replays;
}

function printGoal(
  results: readonly { readonly kind: Kind; readonly result: Replay }[],
  own: readonly ReturnType<typeof costOf>[],
): void {
  const calls = results[0]?.result.calls ?? 0;
  const over = (others: (kind: Kind) => boolean): string =>
    own
      .map(({ total }, table) => {
        const costs = results.flatMap(({ kind, result }) =>
          others(kind) && result.calls === calls ? [costOf(result, table).total] : [],
        );
        return (total / Math.min(...costs)).toFixed(2);
      })
      .join(' / ');
  console.log(
    `Cost over the cheapest of memory, rolling summaries and windows: ${over((kind) => kind === 'rival' || kind === 'memory')}; ` +
      `over memory: ${over((kind) => kind === 'memory')}; over pruneMessages: ${over((kind) => kind === 'pruned')}`,
  );
}

function checkPrefixes(name: string, { extending, between }: Replay): void {
  if (extending === between) return;
  console.error(
    `FAILED: ${name} changed a prefix between two changes: ${between - extending} calls.`,
  );
  process.exitCode = 1;
}

function printReplay(
  name: string,
  result: Replay | undefined,
  costs: readonly ReturnType<typeof costOf>[],
): void {
  if (result === undefined) return;
  const { calls, summaries, needed, mostTokens } = result;
  const perCall = Math.round((costs[0]?.total ?? 0) / calls).toLocaleString('en');
  costsOf.set(name, [...(costsOf.get(name) ?? []), `${perCall} (${percent(needed)})`]);
  const summarizer = costs.reduce((total, cost) => total + cost.summarizer, 0) / costs.length;
  printRow(name, [
    String(calls),
    String(summaries),
    meanTokens(result).toFixed(0),
    String(mostTokens),
    ...costs.map(({ total }) => (total / calls).toFixed(0)),
    (summarizer / calls).toFixed(0),
    percent(needed),
    `${result.extending} of ${result.between}`,
  ]);
}

function percent(share: number | undefined): string {
  return share === undefined ? '-' : `${(100 * share).toFixed(0)} %`;
}

function printRow(name: string, cells: readonly string[]): void {
  const widths = [5, 9, 9, 9, 9, 9, 9, 16, 6, 21];
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 0));
  console.log([name.padEnd(30), ...padded].join('  '));
}
