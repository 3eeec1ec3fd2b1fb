import { heldUp, manyConversations, racers, type Figures } from './at-once.ts';
import { constantTraffic, longAgent, outage, outages } from './over-time.ts';
import { writeResults } from '../write-results.ts';

// What becomes of many calls, long agents and a summarizer that is out. Definitions: README.md of the folder above.

const tests: Readonly<Record<string, () => Promise<Figures>>> = {
  'one conversation at its trigger, 200 at once': racers,
  '500 conversations at their trigger at once': manyConversations,
  '2,000 conversations at their trigger at once': async () => heldUp(2000),
  'an agent of 2,000 steps': longAgent,
  ...Object.fromEntries(
    Object.entries(outages).map(([name, behave]) => [
      `ten minutes without a summarizer: ${name}`,
      async () => outage(behave),
    ]),
  ),
  'an hour of ten calls a second': constantTraffic,
};

const isTiny = process.argv.includes('--tiny');
const [only = ''] = isTiny ? ['200 at once'] : process.argv.slice(2);
const rows: string[] = [];
for (const [name, run] of Object.entries(tests)) {
  if (!name.includes(only)) continue;
  const figures = Object.entries(await run()).map(
    ([what, figure]) =>
      `${what}: ${typeof figure === 'number' ? figure.toLocaleString('en') : figure}`,
  );
  rows.push(`| ${name} | ${figures.join('; ')} |`);
}
writeResults('load', 'npm run bench -- load', ['| | |', '|---|---|', ...rows]);
