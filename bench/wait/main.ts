import { setTimeout as delay } from 'node:timers/promises';
import type { SummarizationOptions, SummaryStore } from '../../src/index.ts';
import { sharedStore } from '../../test/support/shared-store.ts';
import { writeResults } from '../write-results.ts';
import { chat, toolLoop } from './conversations.ts';
import { runConversation } from './run-conversation.ts';

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

/** A store on a server that is not far: opens it for a process that knows nothing. */
function serverStore(): () => SummaryStore {
  const { open } = sharedStore();
  return () =>
    open((plain) => ({
      get: async (key) => later(async () => plain.get(key)),
      compareAndSet: async (key, entry) => later(async () => plain.compareAndSet(key, entry)),
      delete: async (key) => later(async () => plain.delete(key)),
    }));
}

async function later<Result>(operation: () => PromiseLike<Result>): Promise<Result> {
  await delay(1);
  return operation();
}

async function slowly(): Promise<void> {
  await delay(summaryMs);
}

async function hanging(): Promise<void> {
  await delay(hangMs);
  throw new Error('The summarizer does not answer.');
}

function addTo(row: string, heldMs: readonly number[]): void {
  const median = heldMs.toSorted((a, b) => a - b)[Math.floor((heldMs.length - 1) / 2)];
  table.set(row, [...(table.get(row) ?? []), median?.toFixed(0) ?? '-']);
}

/** Medians by workload and store, in the order of the ways. */
const table = new Map<string, string[]>();
const startedAt = performance.now();
const rows = [chat, toolLoop].flatMap((workload) => ways.map((way) => ({ workload, ...way })));

// Loads what loads on demand: the first call of a process is measured elsewhere.
await runConversation({
  workload: chat,
  options: {},
  store: serverStore()(),
  answerMs: 0,
  beforeSummary: async () => {},
  summaries: 1,
  atMostMs: 10_000,
});

const hung = Promise.all(
  rows.map(async ({ workload, options }) => {
    const { heldMs } = await runConversation({
      workload,
      options,
      store: serverStore()(),
      answerMs: 3000,
      beforeSummary: hanging,
      summaries: 2,
      atMostMs: isTiny ? 20_000 : 100_000,
    });
    return { title: `${workload.name}, while the summarizer hangs`, heldMs };
  }),
);

const cold = await Promise.all(
  rows.map(async ({ workload, options }) => {
    const openStore = serverStore();
    const run = { workload, options, beforeSummary: slowly };
    const atMostMs = isTiny ? 30_000 : 240_000;
    const first = { ...run, store: openStore(), answerMs: 300, summaries, atMostMs };
    const { heldMs, summaries: made } = await runConversation(first);
    const again = { ...run, store: openStore(), answerMs: 0, summaries: made, atMostMs: 20_000 };
    return { workload, heldMs, again };
  }),
);
for (const { workload, heldMs } of cold) addTo(`${workload.name}, cold store`, heldMs);
for (const { workload, again } of cold) {
  // Another process, which knows nothing, is sent the same conversation.
  const { heldMs } = await runConversation(again);
  addTo(`${workload.name}, found in the store`, heldMs);
}
for (const { title, heldMs } of await hung) addTo(title, heldMs);
writeResults('wait', 'npm run bench -- wait', [
  `| milliseconds at the trigger, median | ${ways.map(({ name }) => name).join(' | ')} |`,
  `|---|${ways.map(() => '---|').join('')}`,
  ...[...table].map(([name, cells]) => `| ${name} | ${cells.join(' | ')} |`),
]);
console.log(`\n${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
process.exit();
