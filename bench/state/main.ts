import { setTimeout as delay } from 'node:timers/promises';
import { alikeRow } from './alike.ts';
import { anotherEngine } from './another-engine.ts';
import { conversation } from './conversation.ts';
import { copyMegabytes, greedyTenant } from './copy-memory.ts';
import { costRows } from './costs.ts';
import { openStore, startEngines, type Engine } from './engines.ts';
import { faultTable } from './fault-table.ts';
import { localProcess } from './local-process.ts';
import { runRace } from './run-race.ts';

// What state costs where stores are slow, fail and are shared. Definitions: README.md of the folder above.

const conversations = Number(process.argv[2] ?? 10_000);
const startedAt = performance.now();

function printTable(title: string, rows: readonly (readonly (string | number)[])[]): void {
  console.log(`\n${title}\n`);
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => String(row[column] ?? '').length)),
  );
  for (const row of rows)
    console.log(
      row
        .map((cell, column) =>
          typeof cell === 'number'
            ? String(cell).padStart(widths[column] ?? 0)
            : cell.padEnd(widths[column] ?? 0),
        )
        .join('  '),
    );
}

function yesOrNo(holds: boolean): string {
  return holds ? 'yes' : 'NO';
}

async function races(engines: readonly Engine[]): Promise<void> {
  const rows: (string | number)[][] = [
    ['engine', 'processes', 'killed', 'bills', 'distinct prompts', 'failures', 'ms'],
  ];
  let number = 0;
  for (const { place } of engines)
    for (const [processes, killFirst] of [
      [4, false],
      [8, false],
      [4, true],
    ] as const) {
      number += 1;
      // The one that is killed must not have an answer before.
      const race = { number, processes, killFirst, requests: 50, slowMs: killFirst ? 1000 : 300 };
      const { bills, prompts, failures, milliseconds } = await runRace(place, race);
      const killed = killFirst ? 'the first that pays' : '-';
      const ms = Math.round(milliseconds);
      rows.push([place.engine, processes, killed, bills, prompts.size, failures, ms]);
    }
  printTable('Requests at the threshold, 50 at once in each process', rows);
}

/** The same history in a process that is started again. */
async function restarts(engines: readonly Engine[]): Promise<void> {
  const rows: (string | number)[][] = [['engine', 'paid', 'paid after a restart', 'same bytes']];
  for (const [index, { place }] of engines.entries()) {
    const sent: string[] = [];
    const bills: number[] = [];
    for (let start = 0; start < 2; start += 1) {
      const { store, close } = openStore(place);
      const process = localProcess(store);
      sent.push(await process.send(conversation(1000 + index)));
      sent.push(await process.send(conversation(1000 + index)));
      bills.push(process.bills());
      await close();
    }
    rows.push([place.engine, ...bills, yesOrNo(new Set(sent).size === 1)]);
  }
  printTable('The same history over a restart', rows);
}

const engines = await startEngines();
try {
  const costs = await Promise.all([200, 1200, 4000].map(costRows));
  printTable('What a call asks of a store that takes 20 ms', [
    ['messages', 'call', 'waits', 'calls', 'bytes', 'ms'],
    ...costs
      .flat()
      .map(({ messages, call, cost: { waits, calls, bytes }, milliseconds }) => [
        messages,
        call,
        waits,
        calls,
        bytes,
        Math.round(milliseconds),
      ]),
  ]);
  const table = await faultTable();
  printTable('Summaries that 20 requests pay', [
    ['fault', 'warm process', 'cold process', 'distinct prompts'],
    ...table.map(({ fault, warm, cold, prompts }) => [fault, warm, cold, prompts]),
  ]);
  await races(engines);
  await restarts(engines);
  printTable('The same history over another engine', [
    ['engine', 'same bytes as over memory', 'values given to', 'paid there', 'same bytes'],
    ...(await anotherEngine(engines)).map(({ engine, isAlike, givenTo, paid, isSame }) => [
      engine,
      yesOrNo(isAlike),
      givenTo,
      paid,
      yesOrNo(isSame),
    ]),
  ]);
  const alike = [await alikeRow(conversations, 0), await alikeRow(conversations, 6)];
  printTable(`${conversations} conversations`, [
    ['messages alike', 'paid', 'paid again for a tenth in another process'],
    ...alike.map((row) => [row.alike, row.paid, row.paidAgain]),
  ]);
  const kept = await copyMegabytes([1000, 2000, 5000, 10_000, 20_000]);
  printTable('What a process keeps of conversations that it has served', [
    ['conversations', 'MB'],
    ...kept.map(({ conversations: served, megabytes }) => [served, megabytes.toFixed(1)]),
  ]);
  const { tenants, greedyPaid, paidAgain } = await greedyTenant(2000);
  console.log(
    `${tenants} tenants paid ${paidAgain} summaries again after a greedy one had made ${greedyPaid} in a full store.`,
  );
  console.log(`\n${Math.round((performance.now() - startedAt) / 1000)} s`);
} finally {
  await Promise.all(engines.map(async ({ stop }) => stop()));
}
// A store that hangs keeps its timers.
await delay(0);
process.exit();
