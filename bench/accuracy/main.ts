import { quantile, summarizeErrors } from './errors.ts';
import { loadFamilies, type Family } from './families.ts';
import { loadSessions, type Corpus } from './load-sessions.ts';
import { errorOf, measureCorpus } from './measure-corpus.ts';
import { reportedTokens } from './reported-tokens.ts';

// How true the middleware's token counts are for models whose tokenizer is not the one it counts with.
// Definitions: README.md of the folder above.

/** What a model that thinks is billed for with each answer, beside the answer. */
const thought = 500;

const corpora = loadSessions(process.env['ACCURACY_DATA'] ?? '../shared/data');
const families = loadFamilies();
printHead();
for (const corpus of corpora) {
  console.log(`\n${corpus.name}, ${corpus.sessions.length} sessions`);
  for (const family of families) await printFigures(corpus, family, 0);
}
console.log(`\nWith ${thought} tokens of reasoning billed for each answer, which no prompt holds`);
for (const corpus of corpora.filter(({ name }) => name.endsWith('joined'))) {
  console.log(corpus.name);
  for (const family of families.slice(0, 2)) await printFigures(corpus, family, thought);
}

function printHead(): void {
  console.log(
    'Per cent. Errors of estimates over what is reported, with their sign where it is printed.',
  );
  printRow('', [
    'first call: median / worst',
    'whole at once: median / worst',
    'from the second on: calls',
    'median / 95 % / worst',
    'by bound / usage / count',
    'not tokenised',
    'latest',
    'earliest',
  ]);
}

async function printFigures(
  corpus: Corpus,
  family: Family,
  reasoningTokens: number,
): Promise<void> {
  const tokens = reportedTokens(family);
  const provider = { family, tokens, reasoningTokens };
  const { first, whole, calls, sent, fired } = await measureCorpus(corpus, provider);
  const meant = calls.filter(({ check }) => check.measuredBy !== 'bound');
  const { count, bias, median, percentile95, worst } = summarizeErrors(meant.map(errorOf));
  const share = (part: number): string => percent(part / calls.length, 0);
  const by = (...names: readonly string[]): string =>
    share(calls.filter(({ check }) => names.includes(check.measuredBy)).length);
  printRow(family.name, [
    cold(first),
    cold(whole),
    `${count} of ${calls.length}`,
    `${percent(median)} / ${percent(percentile95)} / ${percent(worst)} (${signed(bias)})`,
    `${by('bound')} / ${by('usage')} / ${by('count', 'sample')}`,
    share(calls.filter(({ check }) => !check.tokenized).length),
    signed(quantile(sent, 1)),
    signed(Math.min(0, quantile(fired, 0))),
  ]);
}

function cold(errors: readonly number[]): string {
  const { bias, worst } = summarizeErrors(errors);
  return `${signed(bias)} / ${percent(worst)}`;
}

function percent(share: number, digits = 2): string {
  return (100 * share).toFixed(digits);
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${percent(share)}`;
}

function printRow(name: string, cells: readonly string[]): void {
  const widths = [26, 29, 25, 31, 24, 13, 8, 8];
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 0));
  console.log([name.padEnd(10), ...padded].join('  '));
}
