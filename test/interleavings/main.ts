// Plays every order of what processes do at once: `npm run test:interleavings`. Then the same with planted faults, each of
// which has to be found. `--only` names scenarios, `--plant` a planted fault, by its number.

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { plant, plantedFaults } from './planted-faults.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, plant: { type: 'string' } } });
const fault = values.plant === undefined ? undefined : plantedFaults[Number(values.plant)];
if (fault !== undefined) plant(fault);

// What is planted has to be there before anything of the source is loaded.
const { computeAtOnce } = await import('../support/compute-at-once.ts');
const { virtualClock } = await import('../support/virtual-clock.ts');
const { scenarios } = await import('./scenarios.ts');
const { search } = await import('./search.ts');

await computeAtOnce(async () => {});
const clock = virtualClock();
const only = fault?.foundIn ?? values.only ?? '';
const asked = scenarios.filter(({ name }) => name.startsWith(only));
// Modules that are loaded on demand are there from then on.
for (const scenario of asked) await search({ ...scenario, budget: { preemptions: 0 } }, clock);
let total = 0;
let isFound = false;
for (const scenario of asked) {
  const { schedules, findings } = await search(scenario, clock, fault !== undefined);
  total += schedules;
  isFound ||= findings.length > 0;
  console.log(`${String(schedules).padStart(6)} ${scenario.name}`);
  for (const { wrong, story, choices } of findings)
    console.log([`       ${wrong.join(', ')}: ${choices.join(' ')}`, ...story].join('\n         '));
}
console.log(`${String(total).padStart(6)} schedules`);
if (isFound) process.exitCode = 1;

if (only === '') {
  let found = 0;
  for (const [index, { what }] of plantedFaults.entries()) {
    const { status, stdout } = spawnSync(
      process.execPath,
      [...process.execArgv, import.meta.filename, '--plant', String(index)],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const isNoticed = status === 1 && stdout.includes(' schedules\n');
    if (isNoticed) found += 1;
    console.log(`${isNoticed ? ' found' : 'MISSED'} ${what}`);
  }
  console.log(`${found} of ${plantedFaults.length} planted faults found`);
  if (found < plantedFaults.length) process.exitCode = 1;
}
