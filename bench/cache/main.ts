import { lastMessages, slidingWindow } from './methods/sliding-window.ts';
import type { Method } from './methods/method.ts';
import { nothing } from './methods/nothing.ts';
import { ours } from './methods/ours.ts';
import { prunedWindow } from './methods/pruned-messages.ts';
import { summaryEveryCall } from './methods/summary-every-call.ts';
import { costOf, meanTokens, replay, type Replay } from './replay.ts';
import { agentScenario, chatScenario } from './scenario.ts';

// What a provider's prompt cache makes of each way to keep a long conversation within a limit.
// Definitions: README.md of the folder above.

const given = process.argv.slice(2).map(Number);
const contextLengths = given.length === 0 ? [32_000] : given;

const scenarios = [
  chatScenario({ turns: 500, system: 600, user: [20, 90], assistant: [80, 320] }),
  agentScenario({ steps: 500, system: 1200, text: [10, 50], result: [60, 1200] }),
];

/** `other` is what the goal compares with; `nothing` does not come to the end. */
type Kind = 'ours' | 'variant' | 'other' | 'nothing';

const methods: readonly (readonly [Kind, Method])[] = [
  ['ours', ours('ours, a model summarises')],
  ['ours', ours('ours, rule-based', { strategy: 'rule-based' })],
  ['variant', ours('ours, from 60 % on', { triggerTokenRatio: 0.6, resetTokenRatio: 0.5 })],
  ['variant', ours('ours, 1,000-token summaries', { maxSummaryTokens: 1000 })],
  ['other', slidingWindow],
  ['other', lastMessages(20)],
  ['other', prunedWindow],
  ['other', summaryEveryCall('all anew every call, tail 10 %', false, 0.1)],
  ['other', summaryEveryCall('rolling every call, tail 10 %', true, 0.1)],
  ['other', summaryEveryCall('rolling every call, tail 50 %', true, 0.5)],
  ['nothing', nothing],
];

for (const contextLength of contextLengths)
  for (const scenario of scenarios) {
    console.log(`\n${scenario.name}, context of ${contextLength} tokens`);
    printRow('', [
      'calls',
      'summaries',
      'mean sent',
      'most sent',
      'cache reads',
      'without summariser',
      'cost a call',
      'summariser of it',
      'extend the one before',
    ]);
    const results: { readonly kind: Kind; readonly result: Replay }[] = [];
    for (const [kind, method] of methods) {
      const result = await replay(scenario, method, contextLength);
      results.push({ kind, result });
      printReplay(method.name, result);
      const isOurs = kind === 'ours' || kind === 'variant';
      if (isOurs && result.extending < result.between) {
        console.error(`FAILED: ${method.name} changed a prefix between two summarisations.`);
        process.exitCode = 1;
      }
    }
    printGoal(results);
  }

function printGoal(results: readonly { readonly kind: Kind; readonly result: Replay }[]): void {
  const [own, ruleBased] = results.map(({ result }) => result);
  const others = results.flatMap(({ kind, result }) => (kind === 'other' ? [result] : []));
  if (own === undefined || ruleBased === undefined) return;
  const sameMemory = others.filter((result) => meanTokens(result) >= meanTokens(own) / 2);
  const against = (rivals: readonly Replay[]): string => {
    const best = Math.min(...rivals.map(costACall));
    return [own, ruleBased].map((result) => (costACall(result) / best).toFixed(2)).join(' / ');
  };
  console.log(
    `Cost over the cheapest other, a model summarises / rule-based: ${against(others)}; ` +
      `over the cheapest that sends at least half as much of the conversation: ${against(sameMemory)}`,
  );
}

function printReplay(name: string, result: Replay): void {
  const { calls, main, summarizer, summaries } = result;
  const mainTokens = main.read + main.written;
  const allTokens = mainTokens + summarizer.read + summarizer.written;
  printRow(name, [
    String(calls),
    String(summaries),
    meanTokens(result).toFixed(0),
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
  const widths = [5, 9, 9, 9, 11, 18, 11, 16, 21];
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 0));
  console.log([name.padEnd(30), ...padded].join('  '));
}
