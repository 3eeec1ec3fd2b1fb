import { lastMessages, slidingWindow } from './methods/sliding-window.ts';
import type { Method } from './methods/method.ts';
import { nothing } from './methods/nothing.ts';
import { ours } from './methods/ours.ts';
import { prunedWindow } from './methods/pruned-messages.ts';
import { rollingSummary } from './methods/rolling-summary.ts';
import { costOf, replay, type Replay } from './replay.ts';
import { agentScenario, chatScenario } from './scenario.ts';

// What a provider's prompt cache makes of each way to keep a long conversation within a limit.
// Definitions: README.md of the folder above.

const contextLength = 32_000;

const scenarios = [
  chatScenario({ turns: 500, system: 600, user: [20, 90], assistant: [80, 320] }),
  agentScenario({ steps: 500, system: 1200, text: [10, 50], result: [60, 1200] }),
];

const methods: readonly (readonly [kind: 'ours' | 'other' | 'variant' | 'fails', Method])[] = [
  ['ours', ours('ours, a model summarises')],
  ['ours', ours('ours, rule-based', { strategy: 'rule-based' })],
  ['other', slidingWindow],
  ['other', lastMessages(20)],
  ['other', prunedWindow],
  ['other', rollingSummary],
  ['fails', nothing],
  ['variant', ours('ours, tail of 5 %', { preserveRecentTokenRatio: 0.05 })],
  ['variant', ours('ours, at 90 %', { triggerTokenRatio: 0.9 })],
  ['variant', ours('ours, at 16,000 tokens', { tokenThreshold: 16_000 })],
];

for (const scenario of scenarios) {
  console.log(`\n${scenario.name}, context of ${contextLength} tokens`);
  printRow('', [
    'calls',
    'summaries',
    'mean tokens',
    'most tokens',
    'cache reads',
    'of main input',
    'cost a call',
    'of it summaries',
    'extend the call before',
  ]);
  const costs: { readonly kind: string; readonly cost: number }[] = [];
  for (const [kind, method] of methods) {
    const result = await replay(scenario, method, contextLength);
    costs.push({ kind, cost: costACall(result) });
    printReplay(method.name, result);
    const isOurs = kind === 'ours' || kind === 'variant';
    if (isOurs && result.summaries > 0 && result.extending < result.between) {
      console.error(`FAILED: ${method.name} changed a prefix between two summarisations.`);
      process.exitCode = 1;
    }
  }
  const [own] = costs;
  const best = Math.min(...costs.flatMap(({ kind, cost }) => (kind === 'other' ? cost : [])));
  console.log(`Cost of ours over the best of the others: ${((own?.cost ?? 0) / best).toFixed(2)}`);
}

function printReplay(name: string, result: Replay): void {
  const { calls, main, summarizer, summaries } = result;
  const mainTokens = main.read + main.written;
  const allTokens = mainTokens + summarizer.read + summarizer.written;
  printRow(name, [
    String(calls),
    String(summaries),
    (mainTokens / calls).toFixed(0),
    String(result.mostTokens),
    percent((main.read + summarizer.read) / allTokens),
    percent(main.read / mainTokens),
    costACall(result).toFixed(0),
    (costOf(summarizer) / calls).toFixed(0),
    `${result.extending} of ${result.between}`,
  ]);
}

function costACall({ calls, main, summarizer }: Replay): number {
  return (costOf(main) + costOf(summarizer)) / calls;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

function printRow(name: string, cells: readonly string[]): void {
  console.log([name.padEnd(32), ...cells.map((cell) => cell.padEnd(15))].join(' ').trimEnd());
}
