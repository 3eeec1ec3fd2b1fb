import type { SummaryResult } from '../../src/text/index.ts';
import { loadTextCounter } from '../../src/tokens/text-counter.ts';
import { builtText } from '../built-package.ts';
import { extractiveModel, type Call } from './extractive-model.ts';
import { generatedText, loadText } from './load-text.ts';

// What summaries of each level cost and how short they are, and what a text that has grown or a run that
// was interrupted costs. Definitions: README.md of the folder above.

const { summarize } = builtText;
const { count } = await loadTextCounter();
const [path] = process.argv.slice(2);
const source = path === undefined ? generatedText() : loadText(path);
console.log(
  `Text: ${path === undefined ? 'generated' : 'the given file'}, ${count(source)} tokens\n`,
);

/** The beginning of the source of about so many tokens, with an identifier at each end. */
function textOf(tokens: number): string {
  const beginning = source.slice(0, Math.floor((source.length * tokens) / count(source)));
  return `The first ticket was FIRST-4711X.\n\n${beginning}\n\nThe last ticket was LAST-9932Z.`;
}

interface Run {
  readonly result: SummaryResult;
  readonly calls: readonly Call[];
  readonly milliseconds: number;
}

async function run(text: string, model?: Parameters<typeof summarize>[1]['model']): Promise<Run> {
  const calls: Call[] = [];
  const startedAt = performance.now();
  const result = await summarize(text, {
    model: model ?? extractiveModel((call) => calls.push(call)),
  });
  return { result, calls, milliseconds: performance.now() - startedAt };
}

const widths = [13, 8, 7, 7, 7, 9, 10, 9, 12, 11, 8];
function printRow(cells: readonly (string | number)[]): void {
  console.log(cells.map((cell, index) => String(cell).padStart(widths[index] ?? 0)).join('  '));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

printRow([
  'level',
  'tokens',
  'calls',
  'chunks',
  'groups',
  'read',
  'read / in',
  'written',
  'summary',
  'of the text',
  'ms',
]);
for (const tokens of [60, 300, 2000, 10_000, 50_000, 200_000]) {
  const { result, calls, milliseconds } = await run(textOf(tokens));
  const read = sum(calls.map(({ prompt }) => count(prompt)));
  printRow([
    result.level,
    result.inputTokens,
    calls.length,
    result.hierarchical?.l1Summaries.length ?? 0,
    result.hierarchical?.l2Summaries.length ?? 0,
    read,
    (read / result.inputTokens).toFixed(2),
    sum(calls.map(({ answer }) => count(answer))),
    result.outputTokens,
    `${(100 * result.compressionRatio).toFixed(1)} %`,
    milliseconds.toFixed(0),
  ]);
  for (const ticket of ['FIRST-4711X', 'LAST-9932Z'])
    if (!result.summary.includes(ticket)) {
      console.error(`FAILED: ${ticket} is not in the summary.`);
      process.exitCode = 1;
    }
}

await measureGrowth(textOf(200_000));
await measureInterruption(textOf(200_000));

async function measureGrowth(text: string): Promise<void> {
  const calls: Call[] = [];
  const model = extractiveModel((call) => calls.push(call));
  await run(text, model);
  const paid = calls.length;
  await run(`${text}\n\nA paragraph was added, with ADDED-1Q in it.`, model);
  console.log(`\nA paragraph more: ${calls.length - paid} calls instead of ${paid}`);
}

async function measureInterruption(text: string): Promise<void> {
  const calls: Call[] = [];
  const kept = new Map<string, string>();
  const store = {
    get: async (key: string) => kept.get(key),
    set: async (key: string, value: string) => Boolean(kept.set(key, value)),
    delete: async (key: string) => void kept.delete(key),
  };
  const onCall = (call: Call): void => void calls.push(call);
  const half = 40;
  await summarize(text, { model: extractiveModel(onCall, half), store }).catch(() => {});
  const before = calls.length;
  await summarize(text, { model: extractiveModel(onCall), store });
  console.log(`Interrupted after ${before} calls, started again: ${calls.length - before} more`);
}
