import { summarizeErrors } from './errors.ts';
import { firstCounts } from './first-counts.ts';
import { loadFamilies } from './families.ts';
import { loadSessions, type Corpus } from './load-sessions.ts';
import { errorOf, measureCorpus, type Figures } from './measure-corpus.ts';
import { reportedTokens } from './reported-tokens.ts';
import { writeResults } from '../write-results.ts';

// How true the middleware's token counts are for models whose tokenizer is not the one it counts with.
// Definitions: README.md of the folder above.

const folder = process.env['ACCURACY_DATA'];
const corpora = loadSessions(folder);
const families = loadFamilies().slice(0, process.argv.includes('--tiny') ? 1 : undefined);
/** Of all families together, by kind of conversation. */
const rows: string[] = [];
console.log('Per cent of what is reported; estimates that are too high have a plus.');
printHead();
const results: { readonly corpus: Corpus; readonly figures: Figures }[] = [];
for (const corpus of corpora) {
  console.log(`\n${corpus.name}, ${corpus.sessions.length} sessions`);
  for (const family of families) {
    const figures = await measureCorpus(corpus, { family, tokens: reportedTokens(family) });
    printFigures(family.name, figures);
    results.push({ corpus, figures });
  }
}
console.log('\nAll families and corpora');
for (const kind of ['agent', 'meeting'] as const)
  for (const isJoined of [false, true]) {
    const same = results.filter(
      ({ corpus }) => corpus.kind === kind && corpus.isJoined === isJoined,
    );
    if (same.length === 0) continue;
    const title = `${kind}s, ${isJoined ? 'long sessions' : 'each alone'}`;
    const figures = together(same.map((of) => of.figures));
    printFigures(title, figures);
    const meant = figures.calls.filter(({ check }) => check.measuredBy !== 'bound');
    const { median, percentile95, worst } = summarizeErrors(meant.map(errorOf));
    const errors = [median, percentile95, worst].map((error) => percent(error)).join(' / ');
    const untokenized = figures.calls.filter(({ check }) => !check.tokenized).length;
    rows.push(`| ${title} | ${errors} | ${percent(untokenized / figures.calls.length, 0)} % |`);
  }
const firstCalls = await firstCounts();
const firstRows = firstCalls.map(({ name, errors: { median, percentile95, worst }, within }) => {
  const shown = [median, percentile95, worst].map((error) => percent(error, 1)).join(' / ');
  return `| ${name} | ${shown} | ${percent(within, 0)} % |`;
});
writeResults('accuracy', 'npm run bench -- accuracy', [
  `| error in per cent, over ${folder === undefined ? "the repository's own texts" : 'conversations in ACCURACY_DATA'} | median / 95 % of calls / worst | decided without the tokenizer |`,
  '|---|---|---|',
  ...rows,
  '',
  '| first count, in per cent, of prose in 20 languages, code and tables | median / 95 % of texts / worst | within a tenth |',
  '|---|---|---|',
  ...firstRows,
]);

function together(all: readonly Figures[]): Figures {
  return {
    first: all.flatMap(({ first }) => first),
    whole: all.flatMap(({ whole }) => whole),
    calls: all.flatMap(({ calls }) => calls),
  };
}

function printHead(): void {
  printRow('', [
    'first call: median, worst',
    'all at once: median, worst',
    'later calls',
    'not by bound: median / 95 % / worst',
    'by bound / usage / count',
    'not tokenised',
  ]);
}

function printFigures(name: string, { first, whole, calls }: Figures): void {
  const meant = calls.filter(({ check }) => check.measuredBy !== 'bound');
  const { median, percentile95, worst } = summarizeErrors(meant.map(errorOf));
  const share = (part: number): string => percent(part / calls.length, 0);
  const by = (...names: readonly string[]): string =>
    share(calls.filter(({ check }) => names.includes(check.measuredBy)).length);
  printRow(name, [
    cold(first),
    cold(whole),
    String(calls.length),
    `${percent(median)} / ${percent(percentile95)} / ${percent(worst)}`,
    `${by('bound')} / ${by('usage')} / ${by('count')}`,
    share(calls.filter(({ check }) => !check.tokenized).length),
  ]);
}

function cold(errors: readonly number[]): string {
  if (errors.length === 0) return '-';
  const { bias, worst } = summarizeErrors(errors);
  return `${signed(bias)}, ${percent(worst)}`;
}

function percent(share: number, digits = 2): string {
  return (100 * share).toFixed(digits);
}

function signed(share: number): string {
  return `${share > 0 ? '+' : ''}${percent(share)}`;
}

function printRow(name: string, cells: readonly string[]): void {
  const widths = [25, 26, 11, 35, 24, 13];
  const padded = cells.map((cell, index) => cell.padStart(widths[index] ?? 0));
  console.log([name.padEnd(24), ...padded].join('  '));
}
