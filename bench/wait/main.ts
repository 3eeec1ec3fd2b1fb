import { setTimeout as delay } from 'node:timers/promises';
import type { SummarizationOptions, SummaryStore } from '../../src/index.ts';
import { writeResults } from '../write-results.ts';
import { chat, toolLoop, type Workload } from './conversations.ts';
import { runConversation, type MeasuredCall, type Outcome } from './run-conversation.ts';

// What a summary adds to the calls at the trigger, by how long they wait. Definitions: README.md of the folder above.

const isTiny = process.argv.includes('--tiny');
// A document keeps the texts of so many: older ones give theirs up, and who begins anew there pays again.
const summaries = isTiny ? 2 : 5;
const summaryMs = 2000;
const hangMs = isTiny ? 5000 : 60_000;

/** Ways to wait for a summary. */
const ways: readonly { readonly name: string; readonly options: SummarizationOptions }[] = [
  { name: 'waits for it', options: { maxWaitMs: hangMs } },
  { name: 'maxWaitMs: 0', options: { maxWaitMs: 0 } },
  { name: 'background', options: { background: true } },
];

/** A store on a server that is not far. */
function serverStore(): { readonly open: () => SummaryStore } {
  const entries = new Map<string, string>();
  const plain: SummaryStore = {
    get: async (key) => {
      await delay(1);
      return entries.get(key);
    },
    compareAndSet: async (key, { expected, value }) => {
      await delay(1);
      if (entries.get(key) !== expected) return false;
      entries.set(key, value);
      return true;
    },
    delete: async (key) => {
      await delay(1);
      entries.delete(key);
    },
  };
  // What a process knows of a store belongs to the object.
  return { open: () => ({ ...plain }) };
}

async function slowly(): Promise<void> {
  await delay(summaryMs);
}

async function hanging(): Promise<void> {
  await delay(hangMs);
  throw new Error('The summariser does not answer.');
}

const widths = [10, 6, 14, 10, 6, 8, 14, 12, 12];
function printRow(...cells: readonly (string | number)[]): void {
  console.log(
    cells
      .map((cell, index) =>
        index < 3
          ? String(cell).padEnd(widths[index] ?? 0)
          : String(cell).padStart(widths[index] ?? 0),
      )
      .join('  '),
  );
}

function printHead(title: string): void {
  console.log(`\n${title}\n`);
  printRow('', 'store', '', 'summaries', 'bills', 'calls', 'when due: ms', 'longest', 'no room');
}

function milliseconds(calls: readonly MeasuredCall[], pick: 'median' | 'most'): string {
  const sorted = calls.map(({ heldMs }) => heldMs).toSorted((a, b) => a - b);
  const at = pick === 'median' ? Math.floor((sorted.length - 1) / 2) : sorted.length - 1;
  const value = sorted[at];
  return value === undefined ? '-' : value.toFixed(0);
}

function printOutcome(workload: Workload, store: string, way: string, outcome: Outcome): void {
  const { calls, summaries: made, bills } = outcome;
  const fitting = calls.filter(({ fits }) => fits);
  const due = fitting.filter(({ isDue }) => isDue);
  const others = calls.filter(({ fits }) => !fits);
  const title = `${workload.name}, ${store}`;
  table.set(title, [...(table.get(title) ?? []), milliseconds(due, 'median')]);
  printRow(
    workload.name,
    store,
    way,
    made,
    bills,
    calls.length,
    milliseconds(due, 'median'),
    milliseconds(fitting, 'most'),
    milliseconds(others, 'most'),
  );
}

/** Medians by workload and store, in the order of the ways. */
const table = new Map<string, string[]>();
const startedAt = performance.now();
const rows = [chat, toolLoop].flatMap((workload) => ways.map((way) => ({ workload, ...way })));

// Loads what loads on demand: the first call of a process is measured elsewhere.
await runConversation({
  workload: chat,
  options: {},
  store: serverStore().open(),
  answerMs: 0,
  beforeSummary: async () => {},
  summaries: 1,
  atMostMs: 10_000,
});

const outOfOrder = Promise.all(
  rows.map(async ({ workload, name, options }) => {
    const run = {
      workload,
      options,
      answerMs: 3000,
      beforeSummary: hanging,
      summaries: 2,
      atMostMs: isTiny ? 20_000 : 100_000,
    };
    return {
      workload,
      name,
      outcome: await runConversation({ ...run, store: serverStore().open() }),
    };
  }),
);

printHead(`A summariser of ${summaryMs / 1000} s, an answer of 300 ms; all rows at the same time`);
const cold = await Promise.all(
  rows.map(async ({ workload, name, options }) => {
    const { open } = serverStore();
    const run = { workload, options, summaries, atMostMs: isTiny ? 30_000 : 240_000 };
    const outcome = await runConversation({
      ...run,
      store: open(),
      answerMs: 300,
      beforeSummary: slowly,
    });
    return { workload, name, outcome, again: { ...run, store: open, beforeSummary: slowly } };
  }),
);
for (const { workload, name, outcome } of cold) printOutcome(workload, 'cold store', name, outcome);
for (const { workload, name, again, outcome } of cold) {
  // Another process, which knows nothing, is sent the same conversation.
  const store = again.store();
  // oxlint-disable-next-line no-await-in-loop -- one after another: nothing is waited for
  const warm = await runConversation({
    ...again,
    store,
    answerMs: 0,
    atMostMs: 20_000,
    summaries: outcome.summaries,
  });
  printOutcome(workload, 'found in the store', name, warm);
}

printHead(
  `A summariser that hangs for ${hangMs / 1000} s and then fails, an answer of 3 s; the first two summaries, in real time`,
);
for (const { workload, name, outcome } of await outOfOrder)
  printOutcome(workload, 'while the summariser hangs', name, outcome);
writeResults('wait', 'npm run bench:wait', [
  `| milliseconds at the trigger, median | ${ways.map(({ name }) => name).join(' | ')} |`,
  `|---|${ways.map(() => '---|').join('')}`,
  ...[...table].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`),
]);
console.log(`\n${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
process.exit();
