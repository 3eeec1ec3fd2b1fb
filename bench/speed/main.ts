import { monitorEventLoopDelay } from 'node:perf_hooks';
import { doublings } from './doubling.ts';
import { hostileTimes } from './hostile.ts';
import { limitedCalls } from './limits.ts';
import { pathTimes } from './paths.ts';
import { alternativeTimes } from './side-by-side.ts';
import { writeResults } from '../write-results.ts';

const isTiny = process.argv.includes('--tiny');
const given = process.argv.slice(2).map(Number).filter(Boolean);
const all = isTiny ? [10_000] : [10_000, 100_000, 1_000_000, 2_000_000];
const sizes = given.length > 0 ? given : all;
/** By what was timed, a ratio for each size. */
const table = new Map<string, string[]>();

function line(name: string, ms: number, ratio: number, note = ''): void {
  console.log(
    `  ${name.padEnd(44)}${ms.toFixed(3).padStart(10)} ms${ratio.toFixed(2).padStart(9)} x  ${note}`,
  );
}

console.log('Ratios marked x are to JSON.parse of the same body in the same run.');
for (const tokens of sizes) {
  console.log(`\n${tokens.toLocaleString('en')} tokens`);
  const paths = (await pathTimes(tokens)).map(({ path, ...of }) => ({ name: path, ...of }));
  for (const { name, ms, ratio, measuredBy } of paths) line(name, ms, ratio, measuredBy);
  const alternatives = await alternativeTimes(tokens);
  for (const { name, ms, ratio } of alternatives) line(name, ms, ratio);
  for (const { name, ratio } of [...paths, ...alternatives])
    table.set(name, [...(table.get(name) ?? []), ratio.toFixed(1)]);
}

console.log(
  '\nA record applied at 100,000 tokens: processor time over that of JSON.parse and one SHA-256 of the body',
);
for (const { name, ratio, limit } of await limitedCalls()) {
  console.log(`  ${name.padEnd(44)}${ratio.toFixed(2).padStart(10)} x of at most ${limit} x`);
  if (ratio > limit)
    throw new Error(`A call of ${name} takes ${ratio.toFixed(2)} x, over ${limit} x.`);
}

console.log('\nHostile text, 1 MB each unless said; x is to prose and code of the same size');
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
for (const { kind, ms, ratio, measuredBy } of isTiny ? [] : await hostileTimes())
  line(kind, ms, ratio, measuredBy);
delay.disable();
console.log(
  `  event-loop delay: 99 % ${(delay.percentile(99) / 1e6).toFixed(0)} ms, longest ${(delay.max / 1e6).toFixed(0)} ms`,
);

console.log('\nOne field of 2 MB, summarized by rules; x is to half of it, so 2 is linear');
for (const { field, ms, growth, longestBlock } of isTiny ? [] : await doublings())
  line(field, ms, growth, `longest block ${longestBlock.toFixed(0)} ms`);

writeResults('speed', 'npm run bench -- speed', [
  `| over \`JSON.parse\` of the same body | ${sizes.map((size) => `${size.toLocaleString('en')} tokens`).join(' | ')} |`,
  `|---|${sizes.map(() => '---|').join('')}`,
  ...[...table].map(([name, ratios]) => `| ${name} | ${ratios.join(' | ')} |`),
]);
