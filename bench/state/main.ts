import { writeResults } from '../write-results.ts';
import { costRows } from './costs.ts';

// What a call asks of its store. Definitions: README.md of the folder above.

const isTiny = process.argv.includes('--tiny');
const rows = ['| messages | call | waits | operations | bytes |', '|---|---|---|---|---|'];
for (const messages of isTiny ? [200] : [200, 1200, 4000])
  for (const { call, cost } of await costRows(messages))
    rows.push(`| ${messages} | ${call} | ${cost.waits} | ${cost.calls} | ${cost.bytes} |`);
writeResults('state', 'npm run bench -- state', rows);
