import { writeResults } from '../write-results.ts';
import { copyMegabytes } from './copy-memory.ts';
import { costRows } from './costs.ts';

// What a call asks of its store, and what a process keeps. Definitions: README.md of the folder above.

const isTiny = process.argv.includes('--tiny');
const rows = ['| messages | call | waits | operations | bytes |', '|---|---|---|---|---|'];
for (const messages of isTiny ? [200] : [200, 1200, 4000])
  for (const { call, cost } of await costRows(messages))
    rows.push(`| ${messages} | ${call} | ${cost.waits} | ${cost.calls} | ${cost.bytes} |`);
writeResults('state', 'npm run bench:state', rows);

for (const { conversations, megabytes } of await copyMegabytes(
  isTiny ? [100] : [1000, 2000, 5000, 10_000, 20_000],
))
  console.log(`${conversations} conversations served: ${megabytes.toFixed(1)} MB kept`);
