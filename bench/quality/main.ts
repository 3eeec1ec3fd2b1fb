import {
  foreignSummarizers,
  scoreForeignTexts,
  scoreRecords,
  summarizers,
  type Share,
} from '../../test/summary-quality/score-records.ts';
import { builtRoot } from '../built-package.ts';
import { writeResults } from '../write-results.ts';

// What records of 600 tokens hold of conversations in many languages, by who writes them. Definitions and texts:
// test/summary-quality. Names of measures as arguments list what counts against them.

const named = new Set(process.argv.slice(2));
const titles = {
  standing: 'rules of the user that stand as rules',
  endedStanding: 'rules that have ended and stand as rules',
  lookalikes: 'jokes, signs and texts to be written that stand as rules',
  anywhere: 'rules of the user anywhere in the record',
  inForce: 'rules that have ended, told as in force',
  facts: 'values of the conversation in the record',
  unmarked: 'wrong values that stand unmarked',
} as const;

function percent({ count, of }: Share): string {
  return of === 0 ? '-' : `${((100 * count) / of).toFixed(1)} % (${count}/${of})`;
}

const scored = await Promise.all(
  summarizers.map(async (summarizer) => Object.entries(await scoreRecords(builtRoot, summarizer))),
);
const rows = Object.entries(titles).map(([name, title]) => {
  const shares = scored.map((scores) => scores.find(([key]) => key === name)?.[1]);
  if (named.has(name))
    for (const example of shares.flatMap((share) => share?.examples ?? [])) console.log(example);
  return rowOf(title, shares);
});
const foreign = await Promise.all(
  foreignSummarizers.map(async (summarizer) => scoreForeignTexts(builtRoot, summarizer)),
);
const head = (names: readonly string[]): readonly string[] => [
  `| | ${names.join(' | ')} |`,
  `|---|${names.map(() => '---|').join('')}`,
];
writeResults('quality', 'npm run bench -- quality', [
  ...head(summarizers),
  ...rows,
  '',
  ...head(foreignSummarizers),
  rowOf("rules made of others' texts", foreign),
]);

function rowOf(title: string, shares: readonly (Share | undefined)[]): string {
  const cells = shares.map((share) => (share === undefined ? '-' : percent(share)));
  return `| ${title} | ${cells.join(' | ')} |`;
}
