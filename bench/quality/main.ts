import {
  foreignSummarizers,
  scoreForeignTexts,
  scoreRecords,
  summarizers,
  type Share,
} from '../../test/summary-quality/score-records.ts';
import { builtRoot } from '../built-package.ts';

// What records of 600 tokens hold of conversations in many languages, by who writes them. Definitions and texts:
// test/summary-quality. Names of measures as arguments list what counts against them.

const named = new Set(process.argv.slice(2));
const titles = {
  standing: 'rules standing',
  endedStanding: 'ended ones standing',
  lookalikes: 'lookalikes standing',
  anywhere: 'rules anywhere',
  inForce: 'ended as in force',
  facts: 'facts',
  unmarked: 'wrong values unmarked',
} as const;

function percent({ count, of }: Share): string {
  return of === 0 ? '-' : `${((100 * count) / of).toFixed(1)} % (${count}/${of})`;
}

for (const summarizer of summarizers) {
  const scores = await scoreRecords(builtRoot, summarizer);
  console.log(`\n${summarizer}`);
  for (const [name, title] of Object.entries(titles)) {
    const share = Object.entries(scores).find(([key]) => key === name)?.[1];
    if (share === undefined || share.of === 0) continue;
    console.log(`  ${title.padEnd(24)}${percent(share)}`);
    if (named.has(name)) for (const example of share.examples) console.log(`      ${example}`);
  }
}
console.log("\nrules made of others' texts");
for (const summarizer of foreignSummarizers) {
  const share = await scoreForeignTexts(builtRoot, summarizer);
  console.log(`  ${summarizer.padEnd(24)}${percent(share)}`);
  if (named.has('foreign')) for (const example of share.examples) console.log(`      ${example}`);
}
