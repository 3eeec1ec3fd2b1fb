import { pathTimes } from './paths.ts';

const sizes = [1000, 10_000, 100_000, 1_000_000, 2_000_000];
for (const tokens of sizes) {
  console.log(`\n${tokens.toLocaleString('en')} tokens`);
  for (const { path, ms, ratio, measuredBy } of await pathTimes(tokens))
    console.log(
      `  ${path.padEnd(44)}${ms.toFixed(3).padStart(9)} ms${ratio.toFixed(2).padStart(8)} x  ${measuredBy}`,
    );
}
